import type { EvidenceBase } from "../extractive/evidence-base.ts";

const address = /https?:\/\/[^\s<>"'`|\\]+/gi;

/** Tells the addresses that the sources have, or that they are at themselves. */
export function addressesIn({ corpus }: Pick<EvidenceBase, "corpus">): (url: string) => boolean {
  let known: Set<string> | undefined;
  return (url) => {
    known ??= new Set(
      corpus.sources
        .flatMap(({ ref, text }) => [ref, ...(text.match(address) ?? [])])
        .flatMap((found) => [found, found.split(/[)\]]/)[0] ?? ""].map(bare)),
    );
    return known.has(bare(url));
  };
}

function bare(url: string): string {
  return url.replace(/[).,;:!?\]]+$/, "").replace(/\/$/, "");
}
