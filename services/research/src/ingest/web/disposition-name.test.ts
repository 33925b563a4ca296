import { describe, expect, test } from "vitest";
import { dispositionName } from "./disposition-name.ts";

describe("the name in a Content-Disposition header", () => {
  test.each([
    ['attachment; filename="plan.docx"', "plan.docx"],
    ["attachment; filename=plan.docx", "plan.docx"],
    ["inline;FILENAME = plan.docx; size=3", "plan.docx"],
    ["attachment; filename=\"a.docx\"; filename*=UTF-8''pl%C3%A4ne.docx", "pläne.docx"],
    ["attachment; filename*=utf-8'de'pl%C3%A4ne.docx; filename=a.docx", "pläne.docx"],
    ["attachment; filename=\"a.docx\"; filename*=UTF-8''%E4.docx", "a.docx"],
    ['attachment; filename="a \\"b\\".md"', 'a "b".md'],
    ['attachment; filename="../../etc/notes.md"', "notes.md"],
    ['attachment; filename="C:\\\\files\\\\notes.md"', "notes.md"],
    ["attachment", undefined],
    ['attachment; filename=""', undefined],
    ["", undefined],
  ])("of %j is %j", (header, name) => {
    expect(dispositionName(header)).toBe(name);
  });
});
