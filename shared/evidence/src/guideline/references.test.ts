import { readFileSync } from "node:fs";
import type { GuidelineReferences } from "@proofroom/contracts";
import { describe, expect, test } from "vitest";
import { parseGuidelineReferences } from "./references.ts";

interface GuidelineCase {
  id: string;
  why: string;
  guideline: string;
  expect: Partial<GuidelineReferences>;
}

const { cases } = JSON.parse(readFileSync(new URL("fixtures/guidelines.json", import.meta.url), "utf8")) as {
  cases: GuidelineCase[];
};

const nothing: GuidelineReferences = {
  github_urls: [],
  youtube_videos_urls: [],
  other_urls: [],
  local_file_paths: [],
  git_urls: [],
  rejected: [],
};

describe("references of whole guidelines", () => {
  test.each(cases)("$id $why", ({ guideline, expect: expected }) => {
    expect(parseGuidelineReferences(guideline)).toEqual({ ...nothing, ...expected });
  });

  test("the fixture is complete", () => {
    expect(cases).toHaveLength(49);
  });
});
