import { ingestVideo, transcribeYoutubeUrls } from "@proofroom/contracts";
import type { Models } from "@proofroom/models";
import type { Handler } from "@proofroom/runtime";
import { notConfigured } from "../../capabilities/not-configured.ts";
import { storeSource } from "../document/stored-source.ts";
import { createTranscribe } from "./transcribe.ts";
import { transcriptSource } from "./transcript-source.ts";
import { watchAddress } from "./watch-address.ts";

export interface IngestVideoDeps {
  models: Models;
  /** Names of the settings that are set. */
  configured: ReadonlySet<string>;
  now: () => Date;
}

/** The handler of ingest_video: has a model transcribe a video and stores that as a source. */
export function createIngestVideo({ models, configured, now }: IngestVideoDeps): Handler<typeof ingestVideo> {
  const transcribe = createTranscribe(models);
  const missing = notConfigured(ingestVideo, configured, transcribeYoutubeUrls.needs);
  return async (input, context) => {
    if (!models.has("transcriber")) return missing(input, context);
    const address = watchAddress(input.url);
    const transcribed = await transcribe(address, context);
    return storeSource(context, transcriptSource(transcribed, { ref: input.url, address, now: now() }));
  };
}
