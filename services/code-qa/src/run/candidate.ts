import type { Fence } from "@proofroom/markdown";
import { isTranscript } from "../syntax/transcript.ts";

/** Blocks of one family share state when they are run one after the other. */
export type Family = "python" | "javascript" | "typescript";

const families: Readonly<Record<string, Family>> = {
  python: "python",
  pycon: "python",
  javascript: "javascript",
  typescript: "typescript",
};

/** A block that could be run. */
export interface Candidate {
  index: number;
  family: Family;
  code: string;
  transcript: boolean;
}

/** The block as one to be run, or null where its language has no runner. */
export function candidateOf(fence: Fence): Candidate | null {
  const family = fence.language === null ? undefined : families[fence.language];
  if (family === undefined) return null;
  return {
    index: fence.index,
    family,
    code: fence.code,
    transcript: isTranscript(fence.language, fence.code),
  };
}

const words = new Set(["no-run", "no_run", "norun", "skip", "ignore", "notest"]);
const directive = /^#\s*doctest:\s*\+SKIP\s*$/;

/** Whether the author asks for a block not to be run: by a word of its info string or by its first line. */
export function isMarkedNoRun(fence: Fence, transcript: boolean): boolean {
  const [, ...rest] = fence.info.split(/[\s,{}]+/).filter((word) => word !== "");
  if (rest.some((word) => words.has(word.replace(/^\./, "").toLowerCase()))) return true;
  return !transcript && directive.test(fence.code.split("\n")[0] ?? "");
}
