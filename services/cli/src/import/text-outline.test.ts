import { expect, it } from "vitest";
import { isChatter, withoutChatter } from "./clean-text.ts";
import { titleOf } from "./text-outline.ts";

it.each([
  ["the first heading of the first rank", "## Menu\n\n# Retrying\n\ntext\n\n# Other", "x", "Retrying"],
  [
    "the heading that named the file, whatever its rank",
    "# News\n\n### Safe retries!\n",
    "safe-retries",
    "Safe retries!",
  ],
  ["no heading in a code block", "```\n# not a title\n```\n\n## A part\n", "x", "A part"],
  ["no furniture of the site", "### Cookie Settings\n\n#### Search\n\n## Backoff\n", "x", "Backoff"],
  [
    "no word of a cleaning model",
    "# Here's the cleaned markdown content:\n\n## Cleaned Markdown Content\n\n### Jitter\n",
    "x",
    "Jitter",
  ],
  ["no error", "# Error processing https://x.example\n", "some-page", "Some page"],
  ["an underlined heading", "Deadlines\n=========\n\ntext", "x", "Deadlines"],
])("takes %s for the title", (_name, text, stem, title) => {
  expect(titleOf(text, stem, [])).toBe(title);
});

it("takes what the folder calls a page before a heading of a lower rank", () => {
  expect(titleOf("## A part\n", "docs", ["Docs on retries"])).toBe("Docs on retries");
});

it("removes what a cleaning model said around a page, and the fence it put it in", () => {
  const text = "Sure! Here's the cleaned markdown content:\n\n```markdown\n# T\n\ntext\n```";
  expect(withoutChatter(text)).toEqual({ text: "# T\n\ntext", removed: true });
  expect(withoutChatter("Here is the extracted text:\n\n# T\n\nLet me know if you need more!").text).toBe(
    "# T\n",
  );
});

it.each(["Great tools need great docs.", "Here are the facts.", "# Okay, but why?", "The content is clean."])(
  "takes %s for no chatter",
  (line) => {
    expect(isChatter(line)).toBe(false);
    expect(withoutChatter(`${line}\n\nMore.`)).toEqual({ text: `${line}\n\nMore.`, removed: false });
  },
);
