import { ingestVideo, type Source, sourceSchema } from "@proofroom/contracts";
import { openTestModels, type ScriptedAnswer, type TestModels } from "@proofroom/testing";
import { FakeStepContext } from "../capabilities/fake-step-context.ts";
import { createIngestVideo } from "../ingest/video/handler.ts";

/** A video as a person may name it, and as the provider is asked for it. */
export const url = "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=90";
export const watched = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";

interface SentPart {
  fileData?: { fileUri: string };
  videoMetadata?: { startOffset?: string; endOffset?: string };
}

export interface TestIngest extends Pick<TestModels, "gemini"> {
  /** A step of its own, so that nothing is answered from what was recorded before. */
  step(signal?: AbortSignal): FakeStepContext;
  ingest(context?: FakeStepContext, address?: string): Promise<{ artifact: string }>;
  /** The source that becomes of such answers. */
  ingested(...answers: ScriptedAnswer[]): Promise<Source>;
  /** What the provider was asked with its nth request. */
  sentParts(at: number): SentPart[];
  close(): Promise<void>;
}

/** The ingesting of videos, with the models that the repository ships at a fake of their provider. */
export async function openTestIngest(): Promise<TestIngest> {
  const { models, gemini, close } = await openTestModels();
  const handler = createIngestVideo({ models, configured: new Set(), now: () => new Date(0) });
  let steps = 0;

  function step(signal?: AbortSignal): FakeStepContext {
    steps += 1;
    return new FakeStepContext(ingestVideo, {
      stepId: `ingest_video-${steps}`,
      ...(signal === undefined ? {} : { signal }),
    });
  }

  async function ingest(context = step(), address = url) {
    return handler({ url: address }, context);
  }

  return {
    gemini,
    step,
    ingest,
    async ingested(...answers) {
      gemini.next(...answers);
      const context = step();
      const { artifact } = await ingest(context);
      return sourceSchema.parse(JSON.parse(context.stored.get(artifact) ?? ""));
    },
    sentParts(at) {
      const body = gemini.requests[at]?.json() as { contents: { parts: SentPart[] }[] };
      return body.contents[0]?.parts ?? [];
    },
    close,
  };
}
