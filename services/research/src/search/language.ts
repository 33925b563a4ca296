/** Languages that their script gives away, in the order in which they are looked for: kana before Han. */
const byScript: readonly [script: string, language: string][] = [
  ["Hiragana", "ja"],
  ["Katakana", "ja"],
  ["Hangul", "ko"],
  ["Han", "zh"],
  ["Arabic", "ar"],
  ["Hebrew", "he"],
  ["Greek", "el"],
  ["Devanagari", "hi"],
  ["Thai", "th"],
  ["Cyrillic", "ru"],
];

/** Small words that each of these languages is full of, and the others are not. */
const byWord: readonly [language: string, words: string][] = [
  ["en", "the and of to is that for with this are how from what should"],
  ["de", "der die und das nicht mit ist eine auf für wird werden sind auch wie von"],
  ["fr", "les des est une pour dans que avec qui sur pas nous cette aux ou"],
  ["es", "los las una para con por que del como más este esta pero qué"],
  ["it", "il che di una per con non della sono gli come più questo nel"],
  ["pt", "os uma para com não que dos como mais por isso está são ao"],
  ["nl", "het een van en niet voor met zijn dat wordt ook naar deze hoe"],
  ["sv", "och att det som för inte med är till av på hur ska"],
  ["pl", "się nie jest na do że jak oraz przez dla jako które"],
  ["vi", "và của là các được cho không một những trong với"],
  ["tr", "ve bir için bu ile olarak daha nasıl gibi olan"],
  ["id", "dan yang untuk dengan tidak dari ini adalah pada bagaimana"],
];

/** Of words, one in so many must be a small one of the language. */
const leastShare = 0.04;
const sample = 20_000;

/** Addresses and code are in no language. */
const unread = /https?:\S+|`[^`\n]*`/g;

/** The language that a text is written in, as far as its letters and small words tell; English where they do not. */
export function languageOf(text: string): string {
  const prose = text.slice(0, sample).replace(unread, " ").toLowerCase();
  const words = prose.match(/[\p{L}\p{M}]+/gu) ?? [];
  const letters = words.join("");
  for (const [script, language] of byScript) {
    const count = letters.match(new RegExp(`\\p{sc=${script}}`, "gu"))?.length ?? 0;
    if (count > letters.length / 10) return language === "ru" && /[іїєґ]/.test(letters) ? "uk" : language;
  }
  let best = { language: "en", count: words.length * leastShare };
  for (const [language, list] of byWord) {
    const small = new Set(list.split(" "));
    const count = words.filter((word) => small.has(word)).length;
    if (count > best.count) best = { language, count };
  }
  return best.language;
}
