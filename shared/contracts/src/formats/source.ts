import { z } from "zod";
import { errorCodes } from "../errors.ts";
import { sha256Schema, sourceIdSchema } from "../ids.ts";

export const sourceKinds = [
  "document",
  "folder",
  "repository",
  "web_page",
  "video",
  "search_result",
] as const;
export const sourceKindSchema = z.enum(sourceKinds);
export type SourceKind = z.infer<typeof sourceKindSchema>;

/**
 * Where a span stands, in the terms of a person who opens the original. The parts that apply are set: a page of
 * a PDF, a cell of a notebook, file and lines of a repository, headings of a page, seconds of a video.
 */
export const locatorSchema = z.object({
  headings: z.array(z.string()).optional(),
  page: z.int().positive().optional(),
  cell: z.int().positive().optional(),
  file: z.string().optional(),
  line_from: z.int().positive().optional(),
  line_to: z.int().positive().optional(),
  seconds: z.number().nonnegative().optional(),
});
export type Locator = z.infer<typeof locatorSchema>;

export const spanKinds = ["prose", "code", "table", "output"] as const;

/** A stretch of a source's text: `text.slice(start, end)` in UTF-16 code units. Spans are ordered and never overlap. */
export const spanSchema = z.object({
  start: z.int().nonnegative(),
  end: z.int().positive(),
  kind: z.enum(spanKinds),
  /** Of a code span, as a fence would name it (`python`, `bash`, …); null where unknown. */
  language: z.string().nullable().optional(),
  locator: locatorSchema,
});
export type Span = z.infer<typeof spanSchema>;

/** Names of a work that hold wherever it is read, in lower case and without prefixes. */
const identifiersSchema = z.object({
  doi: z.string().optional(),
  /** Without its version. */
  arxiv: z.string().optional(),
  pmid: z.string().optional(),
  /** With its `pmc`. */
  pmcid: z.string().optional(),
});
export type Identifiers = z.infer<typeof identifiersSchema>;

/** Who made a source and what one may do with it, as it says itself: foreign words, on one line each. */
export const attributionSchema = z.object({
  author: z.string().optional(),
  published: z.string().optional(),
  publisher: z.string().optional(),
  /** The SPDX id where that is certain, else the source's own words. */
  licence: z.string().optional(),
  /** Where the licence stands, as an http(s) address. */
  licence_url: z.string().optional(),
  /** Its notice of copyright. */
  copyright: z.string().optional(),
  /** What its authors want cited. */
  cite_as: z.string().optional(),
});
export type Attribution = z.infer<typeof attributionSchema>;

/** What a source is, where it came from, and how much of it was kept. */
export const provenanceSchema = z.object({
  /** How it was obtained. */
  method: z.enum(["file", "git", "http", "firecrawl", "browser", "api", "import"]),
  /** sha256 of the original bytes (of a folder or repository: of its digest's file list and contents). */
  content_sha256: sha256Schema,
  /** Size of the original in bytes. */
  bytes: z.int().nonnegative(),
  media_type: z.string(),
  /** When it was fetched, also where it was taken from the cache since. */
  retrieved_at: z.iso.datetime().optional(),
  /** After redirects. */
  final_url: z.string().optional(),
  commit: z.string().optional(),
  /** Branch, tag or commit as asked for. */
  revision: z.string().optional(),
  ...attributionSchema.shape,
  /** What the source states of itself in its metadata, never what it cites. */
  identifiers: identifiersSchema.optional(),
  /** The address under which the page wants to be known, on its own host. */
  canonical_url: z.string().optional(),
  /** It was not fetched for this run: another did, at the time of `retrieved_at`. */
  from_cache: z.literal(true).optional(),
  /** Of a search result: who gave it, and for which queries. Of a video: the models that transcribed it. */
  provider: z.string().optional(),
  queries: z.array(z.string()).optional(),
  /** Why it was not obtained in the way that is set up, in words a reader understands. */
  note: z.string().optional(),
  /** What was left out of the text, in words a reader understands. Empty where nothing was. */
  omissions: z.array(z.string()),
});
export type Provenance = z.infer<typeof provenanceSchema>;

/** One piece of evidence: readable Markdown text with addressable spans. Its id is given when all are gathered. */
export const sourceSchema = z.object({
  v: z.literal(1),
  kind: sourceKindSchema,
  /** The reference as the guideline gives it (URL or relative path): unique within a run. */
  ref: z.string().min(1),
  title: z.string().min(1),
  text: z.string(),
  sha256: sha256Schema.describe("of text, UTF-8"),
  spans: z.array(spanSchema),
  provenance: provenanceSchema,
});
export type Source = z.infer<typeof sourceSchema>;

/** Something asked for that could not be had. Never evidence. */
export const failureSchema = z.object({
  ref: z.string(),
  kind: sourceKindSchema,
  code: z.enum(errorCodes),
  message: z.string(),
  remedy: z.string().optional(),
});
export type Failure = z.infer<typeof failureSchema>;

/** What is to be known of something asked for and is no failure: how much of it was taken, or on which way. */
export const noteSchema = z.object({ ref: z.string(), message: z.string(), remedy: z.string().optional() });
export type Note = z.infer<typeof noteSchema>;

export const gatheredSourceSchema = z.object({
  ref: z.string(),
  kind: sourceKindSchema,
  title: z.string(),
  /** The artifact that holds the Source. */
  artifact: z.string(),
  sha256: sha256Schema,
  /** As its provenance says. */
  from_cache: z.literal(true).optional(),
  /** Of a search result: the queries that found it, the first one first. */
  queries: z.array(z.string()).optional(),
});

/** `.nova/gathered/<capability>.json` */
export const gatheredSchema = z.object({
  v: z.literal(1),
  sources: z.array(gatheredSourceSchema),
  failures: z.array(failureSchema),
  notes: z.array(noteSchema).optional(),
});
export type Gathered = z.infer<typeof gatheredSchema>;

/** `.nova/sources.json`: the corpus of a run, with the ids by which it is cited. */
export const sourceIndexSchema = z.object({
  v: z.literal(1),
  sources: z.array(
    gatheredSourceSchema.extend({
      id: sourceIdSchema,
      words: z.int().nonnegative(),
      /** Other references that led to the same work. */
      also_at: z.array(z.string()).optional(),
      ...attributionSchema.shape,
    }),
  ),
  failures: z.array(failureSchema),
});
export type SourceIndex = z.infer<typeof sourceIndexSchema>;
