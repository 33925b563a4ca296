import { Flawed } from "@proofroom/models";
import { cleanLine, cleanText } from "../../search/result-text.ts";
import { clockOf, secondsOf } from "./clock.ts";

/** What is said and shown from a time on. */
export interface Cue {
  seconds: number;
  text: string;
}

export type NoTranscript = "private" | "removed" | "live" | "no_speech" | "unavailable" | "past_end";

export type Transcript =
  | { status: "ok"; title: string; duration: number | null; cues: Cue[] }
  | { status: NoTranscript };

/** A stretch of a video, in seconds from its beginning. */
export interface Stretch {
  from: number;
  to: number;
  /** How long the whole video is, where that is known. */
  total: number | null;
}

/** A timestamp is asked for every 30 seconds; this far apart is every 30 seconds still, as speakers and models pause. */
export const usualGap = 45;
/** This far apart is still a transcript, further is a summary. As much may be missing at the ends. */
const longestGap = 90;
/** By how much a model's clock may be off, in seconds. */
const slack = 5;
const fewestWords = 5;
/** Lines of the same words in a row that no speaker says. */
const mostRepeats = 10;

const absences: ReadonlySet<string> = new Set([
  "private",
  "removed",
  "live",
  "no_speech",
  "unavailable",
  "past_end",
]);

/**
 * Reads an answer as the transcript of a stretch. What was not heard but invented mostly shows in its times: they must
 * rise, lie within the stretch and the video, and cover both.
 */
export function readTranscript(answer: string, stretch: Stretch): Transcript | Flawed {
  const lines = withoutFence(answer).split(/\r\n?|\n/);
  const first = lines.findIndex((line) => cueLine.test(line));
  const head = headOf(lines.slice(0, first === -1 ? lines.length : first));
  const status = head.get("status")?.toLowerCase().replace(/\W+/g, "_");
  if (status !== undefined && absences.has(status)) return { status: status as NoTranscript };
  const cues = absolute(cuesOf(lines.slice(Math.max(first, 0))), stretch);
  const said = secondsOf(head.get("duration") ?? "");
  // Of a later stretch the answer may tell the length of that stretch alone.
  const duration = stretch.from === 0 ? said : stretch.total;
  const flaw =
    stretch.from === 0 && duration === null && cues.length > 0
      ? "It does not say the duration of the video."
      : flawOf(cues, duration, stretch);
  if (flaw !== null) return new Flawed("unfit", flaw);
  return { status: "ok", title: cleanLine(head.get("title") ?? ""), duration, cues };
}

/** Up to the text. */
const cueLine =
  /^\s*(?:[-*>]\s+)?\**[[(](?<time>(?:\d{1,2}:)?\d{1,3}:[0-5]\d)(?:\s*[-–—]\s*[\d:]+)?[\])]\**:?/;
const fence = /^\s*(?<mark>`{3,}|~{3,})/;

/** A fence around the whole answer; the ones within it are code that was shown. */
function withoutFence(answer: string): string {
  const whole = answer.trim();
  const [mark = ""] = /^`{3,}/.exec(whole) ?? [];
  const start = whole.indexOf("\n") + 1;
  const end = whole.lastIndexOf("\n");
  const isFenced = mark !== "" && start <= end && whole.slice(end + 1) === mark;
  const inside = whole.slice(start, end);
  return isFenced && /^\W*status\b/i.test(inside) ? inside : answer;
}

function headOf(lines: readonly string[]): Map<string, string> {
  const entries = lines.flatMap((line): [string, string][] => {
    const [start, name] = /^[\s*_#-]*(status|title|duration)[\s*_]*:/i.exec(line) ?? [];
    return start === undefined || name === undefined
      ? []
      : [[name.toLowerCase(), withoutMarks(line.slice(start.length))]];
  });
  // A later line of the same name is what is said, not said about it.
  return new Map(entries.reverse());
}

/** Without the blanks and marks of emphasis around it. */
function withoutMarks(text: string): string {
  const isMark = (character: string) => /[\s*_]/.test(character);
  let [start, end] = [0, text.length];
  while (start < end && isMark(text.charAt(start))) start += 1;
  while (end > start && isMark(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function cuesOf(lines: readonly string[]): Cue[] {
  const code = fencedLines(lines);
  const cues: { seconds: number; lines: string[] }[] = [];
  lines.forEach((line, at) => {
    const cue = code.has(at) ? null : cueLine.exec(line);
    const time = cue?.groups?.["time"];
    if (time !== undefined)
      cues.push({ seconds: secondsOf(time) ?? 0, lines: [line.slice(cue?.[0].length).trim()] });
    else cues.at(-1)?.lines.push(code.has(at) ? line : plain(line));
  });
  return cues.map(({ seconds, lines: own }) => ({ seconds, text: cleanText(own.join("\n")) }));
}

/** A line without marks that would cut the transcript; what is shown is a paragraph of its own, apart from what is said. */
function plain(line: string): string {
  const text = line.replace(/^\s*(?:#{1,6}\s+|(?:`{3,}|~{3,}).*)/, "");
  return /^\W*shown\s*:/i.test(text) ? `\n${text}` : text;
}

/** The lines of code that was shown, with their fences. What is never closed is no code: it would swallow the talk. */
function fencedLines(lines: readonly string[]): ReadonlySet<number> {
  const fenced = new Set<number>();
  /** By character: the shortest mark that nothing closes from here on. A longer one is not closed either. */
  const open = new Map<string, number>();
  for (let at = 0; at < lines.length; at += 1) {
    const mark = fence.exec(lines[at] ?? "")?.groups?.["mark"];
    if (mark === undefined || mark.length >= (open.get(mark.charAt(0)) ?? Number.POSITIVE_INFINITY)) continue;
    const end = closing(lines, at + 1, mark);
    if (end === -1) {
      open.set(mark.charAt(0), mark.length);
      continue;
    }
    while (at < end) fenced.add(at++);
    fenced.add(end);
  }
  return fenced;
}

/** The first line from there on that closes a fence of that mark, or -1. */
function closing(lines: readonly string[], from: number, mark: string): number {
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line.trim().startsWith(mark) && /^[`~\s]+$/.test(line)) return at;
  }
  return -1;
}

/** Some count a later stretch from its own beginning. */
function absolute(cues: Cue[], { from, to }: Stretch): Cue[] {
  const isOwn = (cues[0]?.seconds ?? from) < from - slack && (cues.at(-1)?.seconds ?? 0) <= to - from + slack;
  return isOwn ? cues.map(({ seconds, text }) => ({ seconds: seconds + from, text })) : cues;
}

/** Why these are no transcript of the stretch, as the model is told; null where they are. */
function flawOf(
  cues: readonly Cue[],
  duration: number | null,
  { from, to }: Pick<Stretch, "from" | "to">,
): string | null {
  const [first] = cues;
  const last = cues.at(-1);
  if (first === undefined || last === undefined) return "It has no line with a timestamp such as [00:30].";
  if (cues.reduce((sum, { text }) => sum + wordsIn(text), 0) < fewestWords) return "It holds no words.";
  const end = Math.min(to, duration ?? to);
  if (last.seconds > end + slack) return `Its timestamps go beyond ${clockOf(end)}, where the video ends.`;
  let before: Cue | undefined;
  let repeats = 0;
  for (const cue of cues) {
    const since = before?.seconds ?? from;
    const rises = before === undefined ? cue.seconds >= from - slack : cue.seconds > since;
    if (!rises) return `Its timestamps do not rise: ${clockOf(cue.seconds)} follows ${clockOf(since)}.`;
    if (cue.seconds - since > longestGap) return nothingBetween(since, cue.seconds);
    repeats = before !== undefined && cue.text !== "" && cue.text === before.text ? repeats + 1 : 0;
    if (repeats >= mostRepeats) return `It says the same again and again from ${clockOf(cue.seconds)} on.`;
    before = cue;
  }
  const covered = duration === null ? last.seconds : end;
  return covered - last.seconds > longestGap ? nothingBetween(last.seconds, covered) : null;
}

function nothingBetween(from: number, to: number): string {
  return `Nothing is transcribed between ${clockOf(from)} and ${clockOf(to)}.`;
}

/** Where a transcript has too few timestamps, as a model is told it; null where they are as close as is asked for. */
export function coarseness(cues: readonly Cue[]): string | null {
  const { from, seconds } = widestGap(cues);
  if (seconds <= usualGap) return null;
  return `It has no timestamp between ${clockOf(from)} and ${clockOf(from + seconds)}: give one at least every 30 seconds, there too.`;
}

/** Where the timestamps are furthest apart, and how far, in seconds; 0 where there are no two. */
export function widestGap(cues: readonly Cue[]): { from: number; seconds: number } {
  return cues.slice(1).reduce(
    (widest, { seconds }, at) => {
      const from = cues[at]?.seconds ?? 0;
      return seconds - from > widest.seconds ? { from, seconds: seconds - from } : widest;
    },
    { from: 0, seconds: 0 },
  );
}

function wordsIn(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
