import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Attribution, Identifiers } from "@proofroom/contracts";
import { addressOfWork, agreedIdentifiers, ofDoi, parseDoi } from "@proofroom/evidence";
import { parse } from "yaml";
import { z } from "zod";
import { authorNames } from "../attribution/author-names.ts";
import { statedLicence } from "../attribution/licence-name.ts";
import { plainWords } from "../attribution/plain-words.ts";
import { compare } from "./file-order.ts";
import { licenceOf } from "./licence.ts";

/** Who made a repository, what one may do with it, and by what name it is known. */
export interface RepositoryAttribution extends Attribution {
  identifiers?: Identifiers;
}

/** Larger files are not what their names say. In bytes. */
const largest = 200_000;

/** What does not fit is left out, not the whole. Everything is read as text. */
const words = z.string().optional().catch(undefined);
const person = z
  .object({ "given-names": words, "name-particle": words, "family-names": words, name: words, alias: words })
  .catch({});
const persons = z.array(person).catch([]);
const identifier = z.object({ type: words, value: words }).catch({});
const work = z.object({
  title: words,
  authors: persons,
  doi: words,
  year: words,
  journal: words,
  "date-released": words,
});
const citationFile = work.extend({
  license: z.union([z.string().transform((one) => [one]), z.array(z.string())]).catch([]),
  "license-url": words,
  identifiers: z.array(identifier).catch([]),
  "preferred-citation": work.optional().catch(undefined),
});
type CitationFile = z.infer<typeof citationFile>;
type Work = z.infer<typeof work>;

/**
 * What the files in the outermost folder of a repository say of it: its licence, CITATION.cff, or else AUTHORS. A licence's
 * own text counts more than its name elsewhere, and what a README says counts for nothing.
 */
export async function attributionOf(root: string): Promise<RepositoryAttribution> {
  const names = (await readdir(root)).sort(compare);
  const cited = await readCitation(root, names);
  const licence = await licenceOf(root);
  const author = authorNames(namesOf(cited?.authors ?? [])) ?? (await readAuthors(root, names));
  const identifiers = cited === null ? {} : identifiersOf(cited);
  const published = plainWords(cited?.["date-released"]?.slice(0, 10) ?? "");
  return {
    ...(author === undefined ? {} : { author }),
    ...(published === "" ? {} : { published }),
    ...(licence === null ? licenceIn(cited) : { licence }),
    ...(cited === null ? {} : citeAs(cited)),
    ...(Object.keys(identifiers).length === 0 ? {} : { identifiers }),
  };
}

async function readCitation(root: string, names: readonly string[]): Promise<CitationFile | null> {
  const text = await readNamed(root, names, /^citation\.cff$/i);
  if (text === null) return null;
  try {
    const read = citationFile.safeParse(parse(text, { logLevel: "silent", schema: "failsafe" }));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

async function readAuthors(root: string, names: readonly string[]): Promise<string | undefined> {
  const text = await readNamed(root, names, /^(?:authors|contributors)(?:\.(?:md|txt|rst))?$/i);
  const lines = (text ?? "").split(/\r\n?|\n/).slice(0, 200);
  return authorNames(
    lines.flatMap((line) => {
      const entry =
        /^\s*(?:[-*+•]|\d{1,3}[.)])?\s*(.*?)\s*(?:<[^<>]*>|\([^()]*\))?\s*$/.exec(line.slice(0, 300))?.[1] ??
        "";
      return isNameLine(entry) ? [entry] : [];
    }),
  );
}

/** Two to five words that begin like names: sentences and headings are others. */
function isNameLine(entry: string): boolean {
  const parts = entry.split(/\s+/);
  return (
    parts.length >= 2 &&
    parts.length <= 5 &&
    parts.every((part) => /^[\p{Lu}\p{Lo}]|^(?:de|van|von|der|da|di|la|le|bin)$/u.test(part)) &&
    !/[:;!?#]|\.$/.test(entry)
  );
}

async function readNamed(root: string, names: readonly string[], pattern: RegExp): Promise<string | null> {
  const name = names.find((one) => pattern.test(one));
  if (name === undefined) return null;
  const path = join(root, name);
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true || found.size > largest) return null;
  return readFile(path, "utf8").catch(() => null);
}

function namesOf(authors: Work["authors"]): string[] {
  return authors.map((one) => {
    const parts = [one["given-names"], one["name-particle"], one["family-names"]].filter(
      (part) => part !== undefined,
    );
    return parts.length > 0 ? parts.join(" ") : (one.name ?? one.alias ?? "");
  });
}

function licenceIn(cited: CitationFile | null): Attribution {
  const address = cited?.["license-url"];
  const [licence, ...others] = cited?.license ?? [];
  // A list means that one may choose.
  return others.length === 0
    ? statedLicence({ words: licence, address })
    : statedLicence({ words: [licence, ...others].join(" OR ") });
}

function identifiersOf(cited: CitationFile): Identifiers {
  const stated = [
    cited.doi,
    ...cited.identifiers.map(({ type, value }) => (type === "doi" ? value : undefined)),
  ];
  return agreedIdentifiers(stated.map((doi) => ofDoi(parseDoi(doi ?? ""))));
}

/** The work that its authors want cited, on one line. */
function citeAs(cited: CitationFile): { cite_as?: string } {
  const { title, authors, doi, journal, ...dates } = cited["preferred-citation"] ?? cited;
  if (title === undefined) return {};
  const year = dates.year ?? dates["date-released"]?.slice(0, 4);
  const who = authorNames(namesOf(authors));
  const address = addressOfWork(ofDoi(parseDoi(doi ?? "")));
  const parts = [who, year === undefined ? undefined : `(${year})`]
    .filter((part) => part !== undefined)
    .join(" ");
  const line = [parts, title, journal, address].filter(
    (part) => part !== undefined && part !== null && part !== "",
  );
  return { cite_as: plainWords(line.join(". "), 500) };
}
