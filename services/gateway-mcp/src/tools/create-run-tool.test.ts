import { expect, it } from "vitest";
import { parseArguments } from "./call-tool.ts";
import { createRunTool } from "./create-run-tool.ts";

it.each([" \n", "# t\ud800"])(
  "a guideline that says nothing or is no Unicode is refused: %j",
  (guideline) => {
    expect(() => parseArguments(createRunTool, { guideline })).toThrow(/^guideline: must /);
  },
);
