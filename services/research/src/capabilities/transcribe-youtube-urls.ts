import { ingestVideo, transcribeYoutubeUrls } from "@proofroom/contracts";
import type { Handler } from "@proofroom/runtime";
import { gather } from "./gather.ts";
import { readReferences } from "./guideline-references.ts";
import { fileNameOf } from "./unique-names.ts";

/** Transcribes the guideline's videos. */
export const handleTranscribeYoutubeUrls: Handler<typeof transcribeYoutubeUrls> = async (_input, context) => {
  const { youtube_videos_urls } = await readReferences(context);
  return gather(context, {
    name: transcribeYoutubeUrls.name,
    requests: youtube_videos_urls.map((url) => ({
      ref: url,
      kind: "video",
      job: { capability: ingestVideo, input: { url } },
    })),
    folder: ".nova/urls_from_guidelines_youtube_videos/",
    copyName: ({ ref, title }) => videoId(ref) ?? fileNameOf(title),
  });
};

function videoId(url: string): string | null {
  const id = URL.canParse(url) ? new URL(url).searchParams.get("v") : null;
  return id !== null && /^[\w-]{11}$/.test(id) ? id : null;
}
