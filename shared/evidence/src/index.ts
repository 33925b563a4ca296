export { denumberCitations, numberCitations, type Reference } from "./citations/number.ts";
export { type ListedReference, parseReferences, renderReferences } from "./citations/references.ts";
export { type VerifyInput, verifyArticle } from "./citations/verify.ts";
export {
  type Corpus,
  type CorpusSource,
  type LoadOptions,
  loadCorpus,
  sourceNumber,
} from "./corpus/load-corpus.ts";
export type { Passage } from "./corpus/passages.ts";
export { type GuidelineBrief, parseGuidelineBrief } from "./guideline/brief.ts";
export { decodeGuideline } from "./guideline/guideline-text.ts";
export type { GuidelineSection } from "./guideline/outline.ts";
export { isPublicHost } from "./guideline/public-host.ts";
export { parseGuidelineReferences } from "./guideline/references.ts";
export { classifyUrl, isRepositoryOf } from "./guideline/source-url.ts";
export { groupWorks } from "./identity/group-works.ts";
export { addressOfWork, ofDoi, parseArxivId, parseDoi } from "./identity/identifiers.ts";
export { addressKey, plainAddress } from "./identity/page-address.ts";
export { agreementOf } from "./identity/texts-alike.ts";
export { agreedIdentifiers, type WorkCandidate } from "./identity/work-evidence.ts";
export type { CodeBlock } from "./retrieval/code-blocks.ts";
export type { Hit } from "./retrieval/hit.ts";
export {
  createRetriever,
  type Retriever,
  type RetrieverOptions,
  type SearchOptions,
} from "./retrieval/retriever.ts";
export { jaccard, terms } from "./retrieval/terms.ts";
export { type Sentence, splitSentences } from "./sentences/split-sentences.ts";
export { makeSource } from "./spans/make-source.ts";
export { type LinesOptions, spansOfLines } from "./spans/spans-of-lines.ts";
export { type HeadingPath, spansOfMarkdown } from "./spans/spans-of-markdown.ts";
export { spansOfText } from "./spans/spans-of-text.ts";
