import { sha256Of } from "@proofroom/artifacts";
import { ProofroomError, type Source, sourceSchema } from "@proofroom/contracts";

/**
 * Completes a source: the version, and the sha256 of its text in UTF-8. Lone surrogates, which UTF-8 cannot hold,
 * become U+FFFD; offsets stay as they are.
 * @throws ProofroomError internal where the parts make no valid source, or spans overlap or lie outside the text
 */
export function makeSource(parts: Omit<Source, "v" | "sha256">): Source {
  const text = parts.text.toWellFormed();
  const parsed = sourceSchema.safeParse({ ...parts, v: 1, text, sha256: sha256Of(text) });
  if (!parsed.success) throw malformed(parsed.error);
  let end = 0;
  for (const span of parsed.data.spans) {
    if (span.start < end || span.end <= span.start) throw malformed("spans overlap or are empty");
    end = span.end;
  }
  if (end > text.length) throw malformed("a span ends beyond the text");
  return parsed.data;
}

function malformed(cause: unknown): ProofroomError {
  return new ProofroomError({
    code: "internal",
    message: "A source was built wrongly.",
    disposition: { kind: "fail" },
    cause,
  });
}
