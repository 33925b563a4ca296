import { spawn } from "node:child_process";
import { once } from "node:events";
import { ProofroomError } from "@proofroom/contracts";
import type { SyntaxFault } from "./javascript-syntax.ts";

const PROMPT = "$ ";

/** What counts of a shell block: where it shows prompts, the prompted lines without them. `lines` are 1-based. */
function promptedLines(code: string): { text: string; lines: number[] } | null {
  const all = code.split("\n");
  if (!all.find((line) => line.trim() !== "")?.startsWith(PROMPT)) return null;
  const kept = all.flatMap((line, at) =>
    line.startsWith(PROMPT) ? [{ text: line.slice(PROMPT.length), line: at + 1 }] : [],
  );
  return { text: kept.map((entry) => entry.text).join("\n"), lines: kept.map((entry) => entry.line) };
}

/**
 * Asks `bash -n`, which reads and never runs.
 * @throws ProofroomError `dependency_down` where there is no bash
 */
export async function checkBash(code: string, signal: AbortSignal): Promise<SyntaxFault | null> {
  const prompted = promptedLines(code);
  const child = spawn("/bin/bash", ["--noprofile", "--norc", "-n"], { cwd: "/", env: {}, signal });
  let complaints = "";
  child.stderr.on("data", (chunk: Buffer) => {
    if (complaints.length < 10_000) complaints += chunk.toString("utf8");
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(`${prompted?.text ?? code}\n`);
  let status: number | null;
  try {
    [status] = (await once(child, "close")) as [number | null];
  } catch (cause) {
    signal.throwIfAborted();
    throw new ProofroomError({ code: "dependency_down", message: "bash could not be started.", cause });
  }
  if (status === 0) return null;
  const [, line = "1", message = "syntax error"] = complaints.match(/line (\d+): (.*)/) ?? [];
  const last = code.trimEnd().split("\n").length;
  const own = prompted === null ? Number(line) : (prompted.lines[Number(line) - 1] ?? last);
  return { message, line: Math.min(own, last) };
}
