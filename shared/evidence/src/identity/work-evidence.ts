import type { Identifiers, Provenance } from "@proofroom/contracts";
import { identifiersOfAddress, ofDoi } from "./identifiers.ts";
import { addressKey, usualAddress } from "./page-address.ts";
import { arxivStampInHead, doiInHead } from "./stated-in-text.ts";

/** A source as far as it tells which work it is. */
export interface WorkCandidate {
  /** The references that led to it. */
  refs: readonly string[];
  provenance: Pick<Provenance, "final_url" | "identifiers" | "canonical_url">;
  /** The beginning of its text, some thousand characters. */
  head: string;
}

const identifierNames = ["doi", "arxiv", "pmcid", "pmid"] as const;

export interface WorkEvidence {
  /** What the source states of itself, and its addresses. Where these contradict each other: neither. */
  identifiers: Identifiers;
  /** Its identifiers, and the addresses that led to it: whoever shares one of these is the same work. */
  identifierKeys: ReadonlySet<string>;
  pages: ReadonlySet<string>;
  /** Those of its identifiers that it states and none of its addresses says. */
  stated: ReadonlySet<string>;
  /** The sites on which it stands. */
  hosts: ReadonlySet<string>;
  /** Whoever shares one of these, those above included, is the same work if the texts agree. */
  weak: ReadonlySet<string>;
}

/** What a source gives to tell by which work it is; never what it cites. */
export function workEvidence({ refs, provenance, head }: WorkCandidate): WorkEvidence {
  const asked = refs.flatMap(urlOf);
  const final = urlOf(provenance.final_url ?? "");
  const addressed = [...asked, ...final].map(identifiersOfAddress);
  const identifiers = agreedIdentifiers([provenance.identifiers ?? {}, ...addressed]);
  const identifierKeys = new Set(keysOf(identifiers));
  const pages = new Set(asked.map(addressOf));
  const [doi, arxiv] = [doiInHead(head), arxivStampInHead(head)];
  const inText = { ...ofDoi(doi), ...(arxiv === null ? {} : { arxiv }) };
  const others = [...final, ...urlOf(provenance.canonical_url ?? "")];
  const weak = [...others, ...[...asked, ...others].map(usualAddress)].map(addressOf);
  return {
    identifiers,
    identifierKeys,
    pages,
    stated: identifierKeys.difference(new Set(addressed.flatMap(keysOf))),
    hosts: new Set([...asked, ...final].map(({ hostname }) => hostname.replace(/^www\./, ""))),
    weak: new Set([...identifierKeys, ...pages, ...weak, ...keysOf(inText)]),
  };
}

/** Those of some identifiers that are not among these keys. */
export function without(identifiers: Identifiers, keys: ReadonlySet<string>): Identifiers {
  return Object.fromEntries(
    Object.entries(identifiers).filter(([name, value]) => !keys.has(`${name} ${value}`)),
  );
}

/** Of each kind the identifier that is named, where no two are. */
export function agreedIdentifiers(all: readonly Identifiers[]): Identifiers {
  const identifiers: Identifiers = {};
  for (const name of identifierNames) {
    const [value, ...others] = valuesOf(all, name);
    if (value !== undefined && others.length === 0) identifiers[name] = value;
  }
  return identifiers;
}

/** Whether they name different works. */
export function contradict(all: readonly Identifiers[]): boolean {
  return identifierNames.some((name) => valuesOf(all, name).size > 1);
}

function valuesOf(all: readonly Identifiers[], name: keyof Identifiers): Set<string> {
  return new Set(all.flatMap((one) => one[name] ?? []));
}

function keysOf(identifiers: Identifiers): string[] {
  return identifierNames.flatMap((name) =>
    identifiers[name] === undefined ? [] : `${name} ${identifiers[name]}`,
  );
}

function addressOf(url: URL): string {
  return `page ${addressKey(url)}`;
}

function urlOf(text: string): URL[] {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? [url] : [];
}
