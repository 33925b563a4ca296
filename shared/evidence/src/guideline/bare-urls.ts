/** A URL written in running text without any markup; `start` and `end` are offsets into the scanned text. */
export interface BareUrl {
  readonly start: number;
  readonly end: number;
  readonly url: string;
}

// White space, and the punctuation of scripts that put no space after a URL.
const CUT =
  /[\s\p{White_Space}\u3001-\u3003\u3008-\u3011\u3014-\u301B\uFF01\uFF08\uFF09\uFF0C\uFF0E\uFF1A\uFF1B\uFF1F\uFF3B\uFF3D\uFF5B\uFF5D\uFF61-\uFF64\u2014\u2018-\u201F\u2026\u2039\u203A\u00AB\u00BB]/u;
// What ends a bare URL: the above, "<", and a bracket that could start a link's destination or label.
const STOP = new RegExp(`${CUT.source}|<|\\](?=[([])`, "gu");
const PREFIX = /(?<![A-Za-z])https?:\/\/|(?<=^|[\s(*_~[\]])www\./gi;
// Domain characters; punctuation other than these three ends a domain.
const DOMAIN = /^[^\s\p{P}\p{S}\p{Cc}](?:[-._]|[^\s\p{P}\p{S}\p{Cc}])*/u;

// The stars by which a whole site is asked for are no punctuation.
const SITE = /\/\*{1,2}$/;

// Attempts in one run of characters without white space, so that a hostile run does not cost quadratic time.
const MAX_FAILED_ATTEMPTS = 50;

/**
 * Ends a bare URL that the Markdown parser found where the punctuation of the surrounding text begins.
 *
 * @returns the URL that is left (null if it no longer is one) and where the scan for further URLs goes on
 *   (null if nothing was cut off).
 */
export function cutBareUrl(
  source: string,
  start: number,
  end: number,
): { url: BareUrl | null; rest: number | null } {
  const text = source.slice(start, end);
  const cut = text.search(CUT);
  if (cut === -1) return { url: toBareUrl(text, start), rest: null };
  return { url: trimmedUrl(text.slice(0, cut), start), rest: start + cut };
}

/** Finds the bare URLs of `source` between two offsets, by the rules of GFM autolink literals and the cut above. */
export function scanBareUrls(source: string, from: number, to: number): BareUrl[] {
  const found: BareUrl[] = [];
  // One character more, since the one before a URL matters.
  const base = Math.max(from - 1, 0);
  const text = source.slice(base, to);
  const prefix = new RegExp(PREFIX);
  const stop = new RegExp(STOP);
  let end = 0;
  let failed = 0;
  prefix.lastIndex = from - base;
  for (let match = prefix.exec(text); match !== null; match = prefix.exec(text)) {
    if (end < prefix.lastIndex) {
      stop.lastIndex = prefix.lastIndex;
      end = stop.exec(text)?.index ?? text.length;
      failed = 0;
    }
    const url = trimmedUrl(text.slice(match.index, end), base + match.index);
    if (url !== null) {
      found.push(url);
      prefix.lastIndex = url.end - base;
    } else {
      failed += 1;
      if (failed > MAX_FAILED_ATTEMPTS) prefix.lastIndex = end;
    }
  }
  return found;
}

/** The Markdown parser ends a URL before the stars by which a whole site is asked for: so many belong to it. */
export function siteStars(source: string, end: number): number {
  if (source.charAt(end - 1) !== "/") return 0;
  return /^\*{1,2}(?=\s|$)/.exec(source.slice(end, end + 3))?.[0].length ?? 0;
}

function toBareUrl(text: string, start: number): BareUrl {
  return { start, end: start + text.length, url: /^w/i.test(text) ? `http://${text}` : text };
}

function trimmedUrl(text: string, start: number): BareUrl | null {
  const trimmed = trimTrail(text);
  return hasDomain(trimmed) ? toBareUrl(trimmed, start) : null;
}

/** Removes trailing punctuation, trailing entities and closing brackets without a partner from a bare URL. */
function trimTrail(text: string): string {
  let end = text.length;
  let surplus = count(text, ")") - count(text, "(");
  for (;;) {
    const last = text.charAt(end - 1);
    if (last === ")") {
      if (surplus <= 0) break;
      surplus -= 1;
      end -= 1;
    } else if (last === ";") {
      end = entityStart(text, end) ?? end - 1;
    } else if (last === "*" && SITE.test(text.slice(0, end))) break;
    else if (last !== "" && "?!.,:*_~\"']".includes(last)) {
      end -= 1;
    } else break;
  }
  return text.slice(0, end);
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

/** Where the `&name;` that ends at `end` starts, if there is one. */
function entityStart(text: string, end: number): number | null {
  let at = end - 2;
  while (/[A-Za-z]/.test(text.charAt(at))) at -= 1;
  return at < end - 2 && text.charAt(at) === "&" ? at : null;
}

/** Whether a URL has a domain, and no underscore in the last two labels of it. */
function hasDomain(text: string): boolean {
  const scheme = /^https?:\/\//i.exec(text)?.[0].length ?? 0;
  if (scheme === 0 && !/^www\../i.test(text)) return false;
  const domain = DOMAIN.exec(text.slice(scheme))?.[0];
  return (
    domain !== undefined &&
    !domain
      .split(".")
      .slice(-2)
      .some((label) => label.includes("_"))
  );
}
