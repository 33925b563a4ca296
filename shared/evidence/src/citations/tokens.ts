/** A word, number or operator of a text, and where it stands in UTF-16 code units. */
export interface Token {
  start: number;
  end: number;
  /** Lower case, plain apostrophes, no escapes: what is compared word for word. */
  norm: string;
  /** `norm` without inflection: what is compared for meaning. */
  stem: string;
  /** Written with a capital first letter, a digit or an underscore inside: a name more often than a word. */
  named: boolean;
}

/**
 * What is skipped (first group): addresses of links, HTML tags and entities, markers of citations. Then words
 * (with inner apostrophes and underscores, `C++`, `C#`), single characters of scripts written without spaces,
 * numbers with their inner points, and comparisons between spaces.
 */
const pattern =
  /(\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s"[^"\n]*")?\)|<\/?[a-zA-Z][^<>\n]*>|<?https?:\/\/[^\s<>")\]]+>?|&(?:[a-z]{2,8}|#\d{1,6});|\[\^?\d{1,4}(?:\s?[,–-]\s?\d{1,4})*\])|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]\p{M}*|\p{L}[\p{L}\p{M}\p{N}]*(?:(?:\\?_)+[\p{L}\p{N}]+)*(?:['’ʼ]\p{L}+)*(?:\+\+|#(?![\p{L}\p{N}]))?|\p{N}+(?:[.,:]\p{N}+)*|(?<=\S )(?:[<>]=?|[=!]=|[≤≥])(?= )/gu;

/** Splits a text (prose or Markdown) into the tokens that comparison rests on. Linear in the text. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(pattern)) {
    if (match[1] !== undefined) continue;
    const raw = match[0];
    const norm = raw.normalize("NFKC").replace(/\\/g, "").replace(/[’ʼ]/g, "'").toLowerCase();
    tokens.push({
      start: match.index,
      end: match.index + raw.length,
      norm,
      stem: stem(norm),
      named: /^\p{Lu}|[\p{L}\p{N}]\p{Lu}|_|\p{L}\p{N}|#|\+/u.test(raw),
    });
  }
  return tokens;
}

const irregular: ReadonlyMap<string, string> = new Map(
  Object.entries({
    fell: "fall",
    fallen: "fall",
    rose: "rise",
    risen: "rise",
    ran: "run",
    running: "run",
    made: "make",
    wrote: "write",
    written: "write",
    sang: "sing",
    sung: "sing",
    began: "begin",
    begun: "begin",
    became: "become",
    built: "build",
    sent: "send",
    kept: "keep",
    held: "hold",
    led: "lead",
    found: "find",
    took: "take",
    taken: "take",
    gave: "give",
    given: "give",
    grew: "grow",
    grown: "grow",
    knew: "know",
    known: "know",
    chose: "choose",
    chosen: "choose",
    threw: "throw",
    thrown: "throw",
    broke: "break",
    broken: "break",
    children: "child",
    people: "person",
    men: "man",
    women: "woman",
    data: "datum",
    indices: "index",
    matrices: "matrix",
  }),
);

/**
 * Takes English inflection off a lower-case word: plural, possessive, -ed, -ing, -ly, and a final e, so that
 * `caches`, `cached`, `caching` and `cache` agree. Cautious: short words and words with digits stay.
 */
export function stem(word: string): string {
  const known = irregular.get(word);
  if (known !== undefined) return known;
  let result = word.replace(/'s?$/, "");
  if (result.length < 4 || !/^[a-z]+$/.test(result)) return result;
  if (/(?:[^aeiou]ies|ied)$/.test(result) && result.length > 4) return `${result.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z)es$/.test(result)) result = result.slice(0, -2);
  else if (/[^suij]s$/.test(result)) result = result.slice(0, -1);
  for (const suffix of ["ing", "edly", "ed", "ly"]) {
    const base = result.slice(0, -suffix.length);
    if (!result.endsWith(suffix) || base.length < 3 || !/[aeiouy]/.test(base)) continue;
    result = /([bdfgmnprt])\1$/.test(base) ? base.slice(0, -1) : base;
    break;
  }
  return result.length > 3 && result.endsWith("e") ? result.slice(0, -1) : result;
}

const stopWords: ReadonlySet<string> = new Set(
  `a about above after again against all also although am an and any are as at be because been before being
  below between both but by can could did do does doing down during each either else etc even ever few for from further
  get gets got had has have having he her here hers herself him himself his how however i if in into is it its itself
  just may me might more most much must my of off often on once one only onto or other others our ours out
  over own per quite rather same shall she should since so some such than that the their theirs them themselves then
  there therefore these they this those though through thus to too toward towards under until up upon us very via was
  we were what when where whereas whether which while who whom whose why will with within would yet you your yours
  it's that's there's they're we're you're i'm let's he's she's i've we've they've you've`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

/** Words that carry no claim of their own. Negations are not among them. */
export function isStopWord(norm: string): boolean {
  return stopWords.has(norm);
}

const negations: ReadonlySet<string> = new Set(
  `not no never none nothing nobody neither nor cannot without hardly rarely
  nicht kein keine keinen keinem keiner keines nie niemals nichts ohne weder
  ne pas jamais aucun aucune nunca ningún ninguna ninguno senza nessun nessuna
  não sem nenhum nenhuma niet geen nooit zonder не нет никогда без 不 没 沒 无 無 未 非 别 別`.split(/\s+/),
);

export function isNegation(norm: string): boolean {
  return negations.has(norm) || norm.endsWith("n't");
}
