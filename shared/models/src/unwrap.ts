// Answers are foreign and long: each of these looks at every character a few times at most, whatever it is.

interface Tag {
  at: number;
  end: number;
  opens: boolean;
  name: string;
}

function tagsIn(text: string): Tag[] {
  return [...text.matchAll(/<(\/?)(think|thinking)>/gi)].map((match) => ({
    at: match.index,
    end: match.index + match[0].length,
    opens: match[1] === "",
    name: match[2]?.toLowerCase() ?? "",
  }));
}

/**
 * Takes out what a model thought aloud. Thoughts that never end leave nothing, and those whose opening tag is missing
 * (some servers cut it away with their template) reach from the beginning.
 */
export function withoutThoughts(text: string): string {
  const tags = tagsIn(text);
  const lastEnd = new Map(tags.filter(({ opens }) => !opens).map(({ name, at }) => [name, at]));
  let kept = "";
  let from = 0;
  let within: string | null = null;
  let endless = false;
  for (const { at, end, opens, name } of tags) {
    if (within !== null) {
      if (opens || name !== within) continue;
      within = null;
      from = end;
    } else if (!opens) {
      kept = "";
      from = end;
      endless = false;
    } else {
      if (!endless) kept += text.slice(from, at);
      if ((lastEnd.get(name) ?? 0) > at) within = name;
      else endless = true;
    }
  }
  return (endless ? kept : kept + text.slice(from)).trim();
}

/** The fenced block that an answer consists of, or the text itself: models wrap what they were asked for plain. */
export function withoutFence(text: string): string {
  const whole = text.trim();
  const opening = /^[^`{[]*(`{3,})[^\n`]*\n/.exec(whole);
  const fence = opening?.[1];
  if (opening === null || fence === undefined) return whole;
  const end = whole.lastIndexOf("`") + 1;
  const newline = whole.lastIndexOf("\n", end - 1);
  const closes = whole.slice(newline + 1, end).trim() === fence;
  return closes && newline >= opening[0].length ? whole.slice(opening[0].length, newline).trim() : whole;
}

/** The code of the one fenced block that an answer holds, whatever stands around it; null where there are none or several. */
export function onlyFence(text: string): string | null {
  const blocks: string[] = [];
  let fence: string | null = null;
  let code: string[] = [];
  for (const line of text.split("\n")) {
    const [, run = "", rest = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
    if (fence === null) {
      if (run === "" || (run.startsWith("`") && rest.includes("`"))) continue;
      fence = run;
      code = [];
    } else if (run.startsWith(fence) && rest.trim() === "") {
      blocks.push(code.join("\n"));
      fence = null;
    } else code.push(line);
  }
  return blocks.length === 1 ? (blocks[0] ?? null) : null;
}
