import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitSentences } from "./split-sentences.ts";

const texts = (text: string) => splitSentences(text).map((sentence) => sentence.text);

describe("splitSentences", () => {
  it.each<[string, string[]]>([
    ["One ends. Two begins! Three? Yes.", ["One ends.", "Two begins!", "Three?", "Yes."]],
    ["Dr. Smith met Mr. Jones. They spoke.", ["Dr. Smith met Mr. Jones.", "They spoke."]],
    ["See Fig. 3 and Eq. 4. Both hold.", ["See Fig. 3 and Eq. 4.", "Both hold."]],
    ["Use v1.2.3 or 3.14 of it. Then stop.", ["Use v1.2.3 or 3.14 of it.", "Then stop."]],
    ["It costs 3. Next comes 4.", ["It costs 3.", "Next comes 4."]],
    ["Tools, e.g. Hammers, help. So do saws.", ["Tools, e.g. Hammers, help.", "So do saws."]],
    ["Read https://x.dev/a.b?c=d. Then go.", ["Read https://x.dev/a.b?c=d.", "Then go."]],
    ["The result differs.[4] Next we look.", ["The result differs.[4]", "Next we look."]],
    ["A thing holds. [S4] Another holds. [S5]", ["A thing holds. [S4]", "Another holds. [S5]"]],
    ["It answers in 4 ms. [2] Redis keeps all.", ["It answers in 4 ms. [2]", "Redis keeps all."]],
    ["It answers in 4 ms. Redis keeps all.", ["It answers in 4 ms.", "Redis keeps all."]],
    ["It took 1.5\u00a0sec. Redis kept 3 MB. Done.", ["It took 1.5\u00a0sec.", "Redis kept 3 MB.", "Done."]],
    ["Wait 5 min. Then 10 s. Then 2 h. Go.", ["Wait 5 min.", "Then 10 s.", "Then 2 h.", "Go."]],
    ["It takes 5 min. per run. End.", ["It takes 5 min. per run.", "End."]],
    ["Ask Ms. Smith in sec. Two. Done.", ["Ask Ms. Smith in sec. Two.", "Done."]],
    ["Made by Smith et al. [4] Redis came later.", ["Made by Smith et al. [4]", "Redis came later."]],
    ["Smith et al. [4] found it, e.g. [5] did.", ["Smith et al. [4] found it, e.g. [5] did."]],
    ["Held by two. [1] [2] More.", ["Held by two. [1] [2]", "More."]],
    ["We cite it. [4] is the source of that.", ["We cite it.", "[4] is the source of that."]],
    ["Call `a. B` now. Done.", ["Call `a. B` now.", "Done."]],
    ["It works. `foo` returns one.", ["It works.", "`foo` returns one."]],
    ["**Bold ends.** Next one.", ["**Bold ends.**", "Next one."]],
    ['He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]],
    ["Made by Acme Inc. The firm is old.", ["Made by Acme Inc.", "The firm is old."]],
    ["The U.S. Army is large. It marches.", ["The U.S. Army is large.", "It marches."]],
    ["Smith et al. Found nothing? Yes.", ["Smith et al. Found nothing?", "Yes."]],
    ["Written by J. R. Tolkien. It sold.", ["Written by J. R. Tolkien.", "It sold."]],
    ["1. Open the door. 2. Close it.", ["1. Open the door.", "2. Close it."]],
    ["你好。我们走吧！真的吗？是", ["你好。", "我们走吧！", "真的吗？", "是"]],
    ["他说「好。」然后走了。", ["他说「好。」", "然后走了。"]],
    ["A heading\n\nA paragraph here. End", ["A heading", "A paragraph here.", "End"]],
    ["Yahoo! is a name. Node.js is too.", ["Yahoo! is a name.", "Node.js is too."]],
    ["Wait... What? It went on... and on.", ["Wait...", "What?", "It went on... and on."]],
    ["  \n \n ", []],
    ["", []],
  ])("splits %j", (text, expected) => {
    expect(texts(text)).toEqual(expected);
  });

  it("gives offsets that point at each sentence and loses nothing but whitespace", () => {
    const piece = fc.constantFrom(
      "Word",
      " ",
      ".",
      ". ",
      "! ",
      "?",
      "\n",
      "\n\n",
      "`",
      "``",
      "[4]",
      " [S4] ",
      "e.g. ",
      "3.5 ",
      "。",
      "é",
      "😀",
      "*",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join("");
        let last = 0;
        let kept = "";
        for (const sentence of splitSentences(text)) {
          expect(text.slice(sentence.start, sentence.end)).toBe(sentence.text);
          expect(sentence.text).toBe(sentence.text.trim());
          expect(sentence.start).toBeGreaterThanOrEqual(last);
          last = sentence.end;
          kept += sentence.text;
        }
        expect(kept.replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
      }),
    );
  });

  it.each([
    ["full stops", "."],
    ["backticks of growing length", "` `` ``` "],
    ["closers", ".) "],
    ["markers", "[1]"],
    ["newlines", "\n \n"],
    ["abbreviations", "e.g. "],
    ["letters", "a"],
    ["brackets after a stop", ".[1"],
  ])("handles a megabyte of %s", (_name, unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    const joined = splitSentences(text)
      .map((sentence) => sentence.text)
      .join("");
    expect(joined.replace(/\s/g, "").length).toBe(text.replace(/\s/g, "").length);
  });
});
