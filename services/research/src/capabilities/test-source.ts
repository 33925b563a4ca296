import { createHash } from "node:crypto";
import type { Failure, Gathered, Provenance, Source, SourceKind } from "@proofroom/contracts";
import { makeSource, spansOfMarkdown } from "@proofroom/evidence";

/** A source for tests, with the text's own hash. */
export function testSource(
  ref: string,
  text: string,
  more: { kind?: SourceKind; title?: string; provenance?: Partial<Provenance> } = {},
): Source {
  return makeSource({
    kind: more.kind ?? "web_page",
    ref,
    title: more.title ?? `Title of ${ref}`,
    text,
    spans: spansOfMarkdown(text),
    provenance: {
      method: "http",
      content_sha256: createHash("sha256").update(text).digest("hex"),
      bytes: Buffer.byteLength(text),
      media_type: "text/html",
      retrieved_at: "2026-03-01T12:00:00.000Z",
      omissions: [],
      ...more.provenance,
    },
  });
}

/** A source as an ingest job answers it, stored under a name made of its reference. */
export function ingested({ ref, kind, title, sha256 }: Source): Gathered["sources"][number] {
  return { ref, kind, title, artifact: sourceArtifact(ref), sha256 };
}

export function sourceArtifact(ref: string): string {
  return `.nova/sources/${createHash("sha256").update(ref).digest("hex").slice(0, 16)}.json`;
}

export function gatheredList(sources: readonly Source[], failures: readonly Failure[] = []): Gathered {
  return { v: 1, sources: sources.map(ingested), failures: [...failures] };
}
