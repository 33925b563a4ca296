import { readFileSync } from "node:fs";
import { isProofroomError, ProofroomError } from "@proofroom/contracts";
import { extractive, Flawed, type Models, waitingText } from "@proofroom/models";
import type { StepContext } from "@proofroom/runtime";
import { clockOf } from "./clock.ts";
import { joinParts } from "./join-parts.ts";
import {
  type Cue,
  coarseness,
  type NoTranscript,
  readTranscript,
  type Stretch,
  type Transcript,
  widestGap,
} from "./read-transcript.ts";

/**
 * What is transcribed in one call, in seconds: most talks are one. More would not fit into the 250,000 tokens that free tiers
 * let in within a minute, and never be answered there. How long a video is the answer to its first part says, so nobody asks
 * beforehand. Its transcript has about 11,000 tokens.
 */
const partSeconds = 40 * 60;
/** The longest answer, in tokens; one that is cut off is of no use. What it may cost is reckoned with it. */
const answerTokens = 32_768;
/** Longer videos are transcribed up to here. */
const mostParts = 9;
/** How often a part is asked for again while the provider is broken or overloaded. */
const mostRetries = 3;

export interface Transcribed {
  title: string;
  cues: Cue[];
  /** The models that did it, in the order of their first part. */
  by: string[];
  /** True where the video goes on after the last part. */
  isCut: boolean;
}

/** The transcript of a part, and the model that did it. */
interface Part {
  transcript: Transcript;
  by: string;
}

/** Transcribes a video by its canonical address. */
export type Transcribe = (url: string, context: StepContext) => Promise<Transcribed>;

/**
 * Has a model watch a video that its provider fetches: nothing is downloaded here.
 * @throws ProofroomError no_evidence where the video cannot be had, with the reason; unreachable where the provider stays
 *   broken; what asking a model throws
 */
export function createTranscribe(models: Models): Transcribe {
  const system = readFileSync(new URL("../../prompts/transcribe-video.md", import.meta.url), "utf8");

  async function askFor(url: string, stretch: Stretch, context: StepContext): Promise<Part> {
    const { runId, stepId, generation, signal } = context;
    const { from, to } = stretch;
    let retries = 0;

    async function ask(text: string, parse: (answer: string) => Transcript | Flawed): Promise<Part> {
      const answer = await models.ask({
        role: "transcriber",
        asker: { runId, stepId, generation },
        request: {
          system,
          parts: [
            { kind: "video", url, ...(from === 0 ? {} : { from }), to, seconds: to - from },
            { kind: "text", text },
          ],
          maxTokens: answerTokens,
        },
        expected: { kind: "text", parse },
        onWait(waitMs, why, faults) {
          if (why === "busy" && retries++ >= mostRetries) throw broken(faults);
          context.progress({ done: 0, message: waitingText(waitMs, why, faults) });
        },
        signal,
      });
      if (!("value" in answer)) throw noModel();
      return { transcript: answer.value, by: answer.by };
    }

    const text = stretchText(stretch);
    const first = await ask(text, (answer) => readTranscript(answer, stretch));
    const { transcript } = first;
    const lack = transcript.status === "ok" ? coarseness(transcript.cues) : null;
    if (lack === null) return first;
    // A transcript with too few timestamps is better than none: a second one neither fails the run nor has it wait for money
    // or a limit, and there is no third.
    const again = `${text} Your last answer had too few timestamps. ${lack} Answer the whole question again.`;
    const second = await ask(again, (answer) => {
      const read = readTranscript(answer, stretch);
      return read instanceof Flawed ? transcript : read;
    }).catch((error: unknown) => {
      if (!isDispensable(error)) throw error;
      return first;
    });
    return isCloser(second.transcript, transcript) ? second : first;
  }

  return async (url, context) => {
    const result: Transcribed = { title: "", cues: [], by: [], isCut: false };
    let total: number | null = null;
    for (let part = 0; ; part += 1) {
      if (part === mostParts) return { ...result, isCut: true };
      const stretch: Stretch = { from: part * partSeconds, to: (part + 1) * partSeconds, total };
      const answered = await askFor(url, stretch, context).catch((error: unknown) => {
        if (!isRejected(error)) throw error;
        // Where nobody knows the length, a stretch behind the end may be refused.
        if (part > 0 && total === null) return null;
        throw cannotBeWatched();
      });
      if (answered === null) return result;
      const { transcript, by } = answered;
      if (transcript.status === "past_end" && part > 0) return result;
      if (transcript.status !== "ok") throw absent(transcript.status);
      if (part === 0) {
        result.title = transcript.title;
        // A model that is shown one part alone may take that for the whole.
        const isWhole = Math.abs((transcript.duration ?? partSeconds) - partSeconds) > 5;
        total = isWhole ? transcript.duration : null;
      }
      result.cues = joinParts(result.cues, transcript.cues);
      if (!result.by.includes(by)) result.by.push(by);
      context.progress({ done: part + 1, message: `transcribed up to ${clockOf(lastOf(result.cues))}` });
      const end = total ?? (isFilled(transcript.cues, stretch) ? Number.POSITIVE_INFINITY : 0);
      if (end <= stretch.to) return result;
    }
  };
}

function stretchText({ from, to }: Stretch): string {
  if (from === 0)
    return `Transcribe the video from its beginning, up to ${clockOf(to)} if it is longer than that.`;
  return `Transcribe the stretch from ${clockOf(from)} to ${clockOf(to)}, or to the end of the video. The first timestamp is [${clockOf(from)}].`;
}

function lastOf(cues: readonly Cue[]): number {
  return cues.at(-1)?.seconds ?? 0;
}

/** Whether a part is transcribed up to its end, so that the video may go on. */
function isFilled(cues: readonly Cue[], { to }: Stretch): boolean {
  return lastOf(cues) >= to - 60;
}

function isCloser(one: Transcript, other: Transcript): boolean {
  const gapOf = (read: Transcript) =>
    read.status === "ok" ? widestGap(read.cues).seconds : Number.POSITIVE_INFINITY;
  return gapOf(one) < gapOf(other);
}

/**
 * Why a second transcript is done without: it cannot be paid, its models are at their limits, none of them gives it, or in a
 * replay none had given it.
 */
const dispensable: ReadonlySet<string> = new Set([
  "budget",
  "quota",
  "unreachable",
  "not_found",
  "invalid_input",
]);

function isDispensable(error: unknown): boolean {
  return isProofroomError(error) && dispensable.has(error.code);
}

function isRejected(error: unknown): boolean {
  return isProofroomError(error) && error.code === "invalid_input";
}

const reasons: Readonly<Record<NoTranscript, string>> = {
  private: "The video is private.",
  removed: "The video has been removed.",
  live: "The video is still being broadcast.",
  no_speech: "Nobody speaks in the video.",
  unavailable: "The video is not available.",
  past_end: "The video is not available.",
};

function absent(status: NoTranscript): ProofroomError {
  return new ProofroomError({
    code: "no_evidence",
    message: `${reasons[status]} There is nothing to transcribe.`,
    remedy: status === "live" ? "Try again when the broadcast is over." : "Name another source.",
  });
}

function cannotBeWatched(): ProofroomError {
  return new ProofroomError({
    code: "no_evidence",
    message: "The provider cannot watch the video: it is private, removed, or not open to everybody.",
    remedy: "Check the address; only public videos can be transcribed.",
  });
}

function broken(faults: string): ProofroomError {
  return new ProofroomError({
    code: "unreachable",
    message: `The provider that watches videos failed ${mostRetries + 1} times in a row, at last with ${faults}.`,
    remedy: "Retry the step later.",
    disposition: { kind: "fail" },
  });
}

function noModel(): ProofroomError {
  return new ProofroomError({
    code: "not_configured",
    message: `No model watches videos: the transcriber is ${extractive}.`,
    remedy: "Name a model that watches videos in the models file.",
  });
}
