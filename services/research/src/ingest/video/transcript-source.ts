import { createHash } from "node:crypto";
import { ProofroomError, type Source, type Span } from "@proofroom/contracts";
import { makeSource, spansOfMarkdown } from "@proofroom/evidence";
import { clockOf } from "./clock.ts";
import { usualGap, widestGap } from "./read-transcript.ts";
import type { Transcribed } from "./transcribe.ts";

/**
 * A transcript as a source: its title, then what is said and shown, each piece behind its timestamp. Spans hold the
 * words without the timestamp, which is in their locator as seconds.
 * @throws ProofroomError no_evidence where nothing in it could be cited
 */
export function transcriptSource(
  transcribed: Transcribed,
  of: { ref: string; address: string; now: Date },
): Source {
  const title = transcribed.title === "" ? of.address : transcribed.title;
  let text = `# ${title}\n`;
  const spans: Span[] = [];
  for (const { seconds, text: words } of transcribed.cues) {
    text += `\n[${clockOf(seconds)}] `;
    for (const span of spansOfMarkdown(words, { seconds })) {
      spans.push({ ...span, start: span.start + text.length, end: span.end + text.length });
    }
    text += `${words}\n`;
  }
  if (spans.length === 0) {
    throw new ProofroomError({
      code: "no_evidence",
      message: "The transcript holds nothing that could be cited.",
    });
  }
  const original = Buffer.from(text, "utf8");
  const { from, seconds } = widestGap(transcribed.cues);
  return makeSource({
    kind: "video",
    ref: of.ref,
    title,
    text,
    spans,
    provenance: {
      method: "api",
      content_sha256: createHash("sha256").update(original).digest("hex"),
      bytes: original.byteLength,
      media_type: "text/markdown",
      retrieved_at: of.now.toISOString(),
      final_url: of.address,
      provider: transcribed.by.join(", "),
      ...(seconds <= usualGap
        ? {}
        : {
            note: `Its timestamps are up to ${seconds} s apart, at ${clockOf(from)}: no model gave one every 30 s.`,
          }),
      omissions: transcribed.isCut
        ? [`everything after ${clockOf(transcribed.cues.at(-1)?.seconds ?? 0)}: the video is too long`]
        : [],
    },
  });
}
