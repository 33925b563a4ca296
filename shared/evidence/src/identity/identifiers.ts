import type { Identifiers } from "@proofroom/contracts";

const longestDoi = 200;

/**
 * A DOI as it is compared: lower case, without prefix. Null where the text is none, or only holds one among other
 * words.
 */
export function parseDoi(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^(?:https?:\/\/)?(?:dx\.)?doi\.org\//i, "")
    .replace(/^(?:info:doi\/|urn:doi:|doi[:\s]\s*)/i, "")
    .replace(/[.,;:)\]}>"'”’]+$/, "")
    .toLowerCase();
  const isOne = bare.length <= longestDoi && /^10\.\d{4,9}(?:\.\d+)*\/[^\s"<>]+$/.test(bare);
  return isOne ? bare : null;
}

/** An arXiv id without its version, or null. */
export function parseArxivId(text: string): string | null {
  const id = text
    .trim()
    .replace(/^arxiv:\s*/i, "")
    .toLowerCase();
  return /^(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?\/\d{7})(?:v\d+)?$/.exec(id)?.[1] ?? null;
}

/** Of an address of arXiv: the paper, whichever version or format. */
export function arxivIdOfAddress({ hostname, pathname }: URL): string | null {
  if (!/(?:^|\.)arxiv\.org$/.test(hostname)) return null;
  const id = /^\/(?:abs|pdf|html|format)\/(.+?)(?:\.pdf)?\/?$/.exec(pathname)?.[1];
  return id === undefined ? null : parseArxivId(id);
}

/** What an address says of the work behind it, whatever the page then says. */
export function identifiersOfAddress(address: URL): Identifiers {
  const { hostname, pathname } = address;
  const path = decoded(pathname);
  const arxiv = arxivIdOfAddress(address);
  if (arxiv !== null) return { arxiv };
  if (/^(?:www\.|dx\.)?doi\.org$/.test(hostname)) return ofDoi(parseDoi(path.slice(1)));
  if (hostname === "pubmed.ncbi.nlm.nih.gov") return named("pmid", /^\/(\d{1,9})\/?$/.exec(path));
  if (/^(?:www\.|pmc\.)?ncbi\.nlm\.nih\.gov$/.test(hostname)) {
    return named("pmcid", /^(?:\/pmc)?\/articles\/(pmc\d{1,9})(?:\/|$)/i.exec(path));
  }
  const published = /\/doi\/(?:(?:abs|full|fullhtml|pdf|pdfdirect|epdf|epub|book)\/)?(10\.[^?#]+?)\/?$/i.exec(
    path,
  );
  return ofDoi(parseDoi(published?.[1] ?? ""));
}

/** arXiv gives its papers DOIs too: those are their arXiv ids. */
export function ofDoi(doi: string | null): Identifiers {
  const arxiv = parseArxivId(/^10\.48550\/arxiv\.(.+)$/.exec(doi ?? "")?.[1] ?? "");
  if (arxiv !== null) return { arxiv };
  return doi === null ? {} : { doi };
}

/** The address by which a work is best known, or null. */
export function addressOfWork({ doi, arxiv }: Identifiers): string | null {
  if (doi !== undefined) return `https://doi.org/${encodeURI(doi).replace(/[?#]/g, encodeURIComponent)}`;
  return arxiv === undefined ? null : `https://arxiv.org/abs/${arxiv}`;
}

function named(name: keyof Identifiers, match: RegExpExecArray | null): Identifiers {
  return match?.[1] === undefined ? {} : { [name]: match[1].toLowerCase() };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
