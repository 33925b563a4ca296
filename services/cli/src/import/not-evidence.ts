import type { ErrorCode, SourceKind } from "@proofroom/contracts";
import { proseBlocks } from "@proofroom/markdown";

/** Why a text is no evidence: a stable code, and words of ours that go on "the folder holds …". */
export interface NotEvidence {
  code: ErrorCode;
  holds: string;
}

/** With less prose than this, in characters, a text says nothing that could be cited. */
const leastProse = 200;
/** A text with more than this is about its subject, even if it opens with an error or speaks of a captcha. */
const mostOfNotice = 1_500;
const mostOfShortNotice = 600;
/** Answers of a search are short as such. */
const mostOfAnswer = 400;
/** Errors quoted whole, with their traces and their lists of quotas, may be longer. */
const mostOfError = 50_000;
/** Pages of errors say so in their beginning. */
const mostOfPage = 20_000;
/** Prose is counted in the beginning of a text only: long texts have enough of it. */
const sample = 30_000;

const quota =
  /RESOURCE_EXHAUSTED|insufficient_quota|quota (?:was |has been )?exceeded|exceeded (?:your|the) (?:current )?(?:quota|rate)|rate[ _-]?limit(?:ed| exceeded| reached)|too many requests|\b429\b/i;
const late = /\btimed?[ -]?out\b|ETIMEDOUT|DEADLINE_EXCEEDED|\b504\b/i;
const missing =
  /\b(?:404|410)\b|(?:page|repository|video|file|resource|document) (?:was )?(?:not found|unavailable)|(?:could not be|cannot be|wasn['’]t) found|does(?: not|n['’]t) exist|no longer (?:exists|available)|private video|video is private|\bnot found\b/i;

/** Openings that only a failed fetch leaves: what failed, and for which address. */
const failedFetch =
  /^(?:(?:api |an? )?(?:unexpected |unknown |internal )?error (?:occurred |processing |during [\w ]{1,40}|fetching |scraping |while [\w ]{1,40})?(?:for |of |from |at )?|(?:failed|unable) to [\w ]{1,40} )(?:\W{0,3})https?:\/\//i;
const opening = [
  /^(?:(?:an?|the) )?(?:(?:unexpected|unknown|internal|fatal|critical|api|http|network|connection|server|client|scraping|processing|transcription|download|git|runtime) )*(?:error|exception|failure)\s*(?:[:([{]|[-–—] |\d{3}\b|code \d|processing\b|occurred\b|during\b|while\b|fetching\b|scraping\b|loading\b|in transcri|for https?:)/i,
  /^(?:failed to|could not|couldn['’]t|unable to|cannot|can['’]t) (?:be )?(?:scraped?|fetch(?:ed)?|load(?:ed)?|clone|download|retrieve|process|transcribe|access|reach|connect|read|open|get|parse|extract)\b/i,
  /^(?:scraping|scrape|fetch(?:ing)?|transcription|download|processing|crawl(?:ing)?|request|ingest(?:ion|ing)?) (?:has )?(?:failed|error)\b/i,
  /^(?:HTTP(?:\/[\d.]+)? |status(?: code)?:? )?[45]\d\d\b[ :–—-]*(?:client error|server error|too many requests|forbidden|not found|unauthori[sz]ed|internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|resource_exhausted|request time-?out|bad request|gone\b|$)/i,
  /^Traceback \(most recent call last\)/,
  /^(?:[a-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception)\b\s*[:(]/,
  /^(?:curl|wget|npm ERR!|pip)\b.{0,20}(?:\(\d+\)|error)/i,
];
const gitLine =
  /^(?:fatal: |error: |remote: (?:repository|error|fatal|invalid)|Cloning into '|Command failed: git\b|ERROR: Repository)/m;
const apology =
  /^(?:i['’]?m sorry|i apologi[sz]e|sorry, (?:but )?i\b|unfortunately,? (?:i\b|the (?:provided|given|page|content))|(?:there (?:is|was) )?no (?:relevant |usable |meaningful )?(?:content|text) (?:to|was|could|found|is|provided|available)|the (?:provided|given|supplied) (?:content|markdown|text|page|html)\b.{0,80}(?:does not|doesn['’]t|is empty|contains? (?:no|only)|appears?))/i;
const challenge =
  /checking (?:if the site connection is secure|your browser)|verif(?:y|ying) (?:that )?you(?: are|['’]re) (?:a )?(?:human|not a)|are you a (?:human|robot)|you are not a (?:ro)?bot|enable javascript and cookies|needs to review the security of your connection|(?:complete|solve) (?:the|this) (?:security check|captcha)|unusual traffic from your|cloudflare ray id|you have been blocked/i;
const challengeTitle =
  /^(?:just a moment|attention required|access (?:to this page has been )?denied)\W*(?:$|[|–—-])/i;
const login =
  /(?:log|sign)[ -]?in (?:or (?:sign up|register|create)|to (?:continue|view|read|access|see))|you must be (?:logged|signed) in|please (?:log|sign) in|subscribe to (?:continue|keep) reading|already a (?:subscriber|member)\?|create (?:a free |an )?account to (?:continue|read)|authentication required/i;
const loginTitle = /^(?:(?:please )?(?:log|sign)[ -]?in|login)(?:$|\b.{0,40}$)/i;
const scriptOnly =
  /enable javascript|(?:requires|needs) javascript|javascript is (?:required|disabled)|javascript must be enabled/i;

/**
 * Tells evidence from what failed fetches leave in its place: error messages, API errors, the output of git, bot
 * checks, login walls, raw HTML, and texts with too little to cite. Null for evidence. Long texts are evidence
 * whatever words they hold.
 */
export function notEvidence(text: string, kind: SourceKind): NotEvidence | null {
  const trimmed = text.trim();
  if (trimmed === "") return { code: "no_evidence", holds: "an empty file" };
  const limit = kind === "search_result" ? mostOfAnswer : mostOfNotice;
  return (
    errorMessage(trimmed, limit) ?? notText(trimmed) ?? noticePage(trimmed, limit) ?? tooLittle(trimmed, kind)
  );
}

function errorMessage(text: string, limit: number): NotEvidence | null {
  const first = openingLine(text);
  if (text.length <= mostOfError && (failedFetch.test(first) || isApiError(text))) return failed(text);
  if (flat(text).length > limit) return null;
  const bare = text.replace(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:\n {0,3}\1[^\n]*|$)/gm, "");
  if (opening.some((pattern) => pattern.test(first)) || gitLine.test(bare)) return failed(text);
  if (apology.test(first))
    return { code: "no_evidence", holds: "the apology of a model that was to clean it" };
  return null;
}

/** The first line that says something, without marks of emphasis, headings, quotes and alarm. */
function openingLine(text: string): string {
  const line = text.split("\n").find((candidate) => /[\p{L}\p{N}]/u.test(candidate)) ?? "";
  return line.replace(/^[^\p{L}\p{N}[{<]+/u, "").replace(/^\[(?:error|failed)\]\s*/i, "Error: ");
}

/** A JSON body (or what Python prints of one) that reports an error, bare, fenced or behind one line of words. */
function isApiError(text: string): boolean {
  const body = text.replace(/^(`{3,})[^\n]*\n/, "");
  const start = body.slice(0, 400).search(/[{[]/);
  const before = start === -1 ? body : body.slice(0, start);
  if (start === -1 || before.split("\n").filter((line) => line.trim() !== "").length > 1) return false;
  const rest = body.slice(start);
  if (flat(rest.slice(bracketsEnd(rest))).length > leastProse) return false;
  const head = rest.slice(0, 2_000);
  return (
    /^[[{\s]*["'](?:error|errors|fault|exception|detail|message|success|ok|code|status|status_?code)["']\s*:/i.test(
      head,
    ) &&
    /["'](?:error|errors|fault|exception)["']\s*:\s*[{["']|["'](?:code|status_?code|status)["']\s*:\s*["']?(?:[45]\d\d\b|[A-Z]+_[A-Z_]+)|["'](?:success|ok)["']\s*:\s*false/i.test(
      head,
    )
  );
}

/** Where the bracket that opens a text closes; the text's end where it does not. */
function bracketsEnd(text: string): number {
  let depth = 0;
  for (const { 0: bracket, index } of text.matchAll(/[{}[\]]/g)) {
    depth += bracket === "{" || bracket === "[" ? 1 : -1;
    if (depth === 0) return index + 1;
  }
  return text.length;
}

function failed(text: string): NotEvidence {
  const head = text.slice(0, 2_000);
  if (quota.test(head)) return { code: "quota", holds: "the notice of a used-up quota" };
  if (late.test(head)) return { code: "timeout", holds: "the notice of a fetch that took too long" };
  if (missing.test(head)) return { code: "not_found", holds: "the notice that it does not exist" };
  return { code: "unreachable", holds: "the error message of a failed fetch" };
}

/** What is stored for programs, not written for readers. */
function notText(text: string): NotEvidence | null {
  if (
    /^\{[\s\S]{0,2000}?"cells"\s*:\s*\[/.test(text) ||
    (text.startsWith("{") && text.includes('"nbformat"'))
  )
    return { code: "invalid_input", holds: "a notebook as it is stored, not its text" };

  if (!/^(?:`{3,}[^\n]*\n)?\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html|head|body)\b/i.test(text))
    return null;
  const page = text.slice(0, mostOfPage);
  const title = /<title[^>]*>([^<]{0,300})/i.exec(page)?.[1] ?? "";
  const shown = `${title}\n${page.replace(/<(script|style)\b[\s\S]*?<\/\1>|<[^>]*>/gi, " ")}`;
  const notice = noticePage(shown.trim(), mostOfNotice);
  if (notice !== null) return notice;
  if (/error|[45]\d\d|denied|unavailable/i.test(title)) return failed(shown);
  return { code: "invalid_input", holds: "a raw HTML page, not its text" };
}

function noticePage(text: string, limit: number): NotEvidence | null {
  const whole = flat(text);
  const first = openingLine(text);
  if (whole.length > limit) return null;
  if (challengeTitle.test(first) || challenge.test(whole))
    return { code: "unreachable", holds: "a bot check" };
  if (/^(?:error )?404\b|^(?:the )?page (?:was )?not found|^not found\b/i.test(first))
    return { code: "not_found", holds: 'a "not found" page' };
  if (loginTitle.test(first)) return { code: "unreachable", holds: "a login page" };
  if (whole.length > mostOfShortNotice) return null;
  if (login.test(whole)) return { code: "unreachable", holds: "a login page" };
  if (/page you (?:requested|(?:are|were) looking for)|\b404\b/i.test(whole))
    return { code: "not_found", holds: 'a "not found" page' };
  if (scriptOnly.test(whole))
    return { code: "unreachable", holds: "a page that shows nothing without scripts" };
  return null;
}

/** Of repositories and files all that is written counts, of everything else only what reads as prose. */
function tooLittle(text: string, kind: SourceKind): NotEvidence | null {
  const isProse = kind !== "repository" && kind !== "document";
  const length = isProse ? proseLength(text.slice(0, sample)) : flat(text).length;
  return length >= leastProse
    ? null
    : { code: "no_evidence", holds: `fewer than ${leastProse} characters of text` };
}

function proseLength(text: string): number {
  return proseBlocks(text)
    .filter(({ kind }) => kind !== "heading")
    .reduce((sum, block) => sum + block.text.length, 0);
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
