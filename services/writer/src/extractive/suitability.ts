import type { Passage } from "@proofroom/evidence";
import { hasVerb } from "./has-verb.ts";
import { plainSentence } from "./plain-sentence.ts";

/** How a sentence may be used: on its own, only right behind the sentence it follows in its source, or not. */
export type Suitability = "opener" | "follower" | "unsuitable";

/** Points at something on the page of its source: layout, pictures, the reading order, the author. */
const pointing =
  /\b(?:as shown|shown (?:here|in|above|below)|(?:see|shown|listed|described|discussed|mentioned|defined|given|outlined) (?:above|below|earlier|later|here)|the (?:above|below)|(?:above|below|following|preceding|previous|next)(?: \w+){0,2} (?:examples?|sections?|code|snippets?|tables?|figures?|diagrams?|images?|steps?|commands?|chapters?|parts?|lists?|guides?|pages?)|(?:examples?|code|snippets?|table|figure|diagram|image|section|list|steps?|function|prompt) (?:above|below|earlier)|the following|as follows|this (?:report|work|study|survey|guide|page|section|article|tutorial|chapter|document|lesson|notebook|post|video|paper|example|snippet|code|figure|table|diagram|repo|repository|readme|course|walkthrough|blog)|in this (?:case|scenario)|in (?:the|our) (?:\w+ )?(?:example|snippet)|fig(?:ure|\.) ?\d|table \d|listing \d|section \d|chapter \d|click|here(?:'s|’s)?|let(?:'s|’s)|let us|we(?:'ll|’ll) (?:see|look|show|cover|use|go|discuss|explore|start|build|now)|you(?:'ll|’ll| will) (?:learn|see|find)|to complete our|our (?:hypothetical )?(?:example|\w+ example)|scroll|screenshot|examples? to come|later on|earlier in|worked example|so far|turn \d|step \d)\b|\b(?:above|below)\b(?! (?:\d|zero|the threshold))/i;

/** Furniture of pages and repositories. */
const boilerplate =
  /\b(?:cookies?|privacy policy|terms of (?:service|use)|all rights reserved|copyright|licen[sc]ed under|permission is hereby granted|without warrant(?:y|ies)|as is|apache licen[sc]e|mit licen[sc]e|subscribe|newsletter|sign (?:in|up)|log ?in to|share this|follow us|read more|learn more|find out more|more information|for more (?:details?|on)|contact us|javascript is|enable javascript|last updated|min(?:ute)?s? read|advertis\w+|skip to|edit (?:this|on github)|feedback|was this (?:page|helpful)|powered by|join (?:us|our)|documentation index|table of contents|pull requests?|contributions? (?:is|are)|star (?:us|the repo)|lorem ipsum|todo|fixme|free trial|see (?:the|our|also|how)|check out|refer to|documentation for|page url|back to top|happy coding|(?:we|we['’]re) (?:are )?(?:committed|proud|excited|thrilled|happy|pleased)|our (?:team|clients?|customers?|company|services?|research team)|research team|arxiv|preprint|in proceedings|doi)\b|©|®|™/i;

/** Headings of parts that are about the document and not about its subject. */
const apparatus =
  /^(?:(?:\d+|[A-Z])\.?\s+)?(?:references?|bibliography|works cited|acknowledge?ments?|licen[sc]e|contributing|contributors|authors?|about the authors?|changelog|release notes|see also|related\b.*|further reading|table of contents|contents|citation|citing|funding|footnotes|comments|navigation)\W*$/i;

const firstPerson = /\b(?:I|I'm|I’m|I've|I’ve|I'd|I’d|I'll|I’ll|[Mm]y|[Mm]yself)\b/;

/** Leans on the sentence before it. */
const leaning =
  /^(?:(?:This|These|That|Those|It|Its|They|Their|Them|He|She|His|Her|However|Therefore|Thus|Hence|Moreover|Furthermore|Additionally|Also|But|And|Or|So|Then|Instead|Otherwise|Likewise|Similarly|Conversely|Nevertheless|Nonetheless|Still|Yet|Such|Both|Either|Neither|Finally|Next|First|Second|Third|Lastly|Last|Another|Others?|Besides|Consequently|Accordingly|Meanwhile|Alternatively|Afterwards?|Now|Again|Together|Specifically|Indeed|Overall|Typically|Note|Notice|Remember|Recall|Importantly|Crucially|Unfortunately|Fortunately|Luckily|Basically|Actually|Once)\b|There (?!is|are|was|were)|For (?:example|instance|this|that|these|those|such)\b|In (?:other words|contrast|addition|particular|this|that|these|those|such|fact|short|summary|each case|both|either)\b|On the (?:other|contrary)\b|As (?:a result|such|you can|we|before|with the)\b|To (?:do|achieve|address|solve|fix|avoid|support|handle|accomplish) (?:this|so|that|these|it)\b|(?:With|By|After|Before|From|At|Like|Unlike|Through|Under|Given|Beyond|Because of|Due to|Based on) (?:this|that|these|those|it|them)\b|(?:If|When|While|Because|Since|Although|Until|After|Before|Where|As|Unless) (?:it|they|this|that|these|those|so|not|he|she)\b|The (?:former|latter|same|other|others|rest|result|second|third|last|next|first)\b|(?:One|Some|Most|Many|Several|All|Each|Any|None|Two|Three) of (?:these|those|them|the)\b|(?:All|Many|Some|Most) (?:this|that|these|those)\b|(?:Yes|No|OK|Okay|Well|Sure|Right),|\p{Lu}\p{Ll}+ly,|To be (?:clear|sure|precise)\b|In (?:a|the) (?:similar|same)\b|(?:\S+\s){0,9}(?:this|these|those(?! (?:who|that|which|of))|such(?! as))\b)/u;

/** A word early in a sentence that adds it to what was said before. */
const adding = /^(?:\S+\s){1,4}(?:also|instead|too|either|likewise|similarly|therefore|thus|however|then)\b/i;

const letters = /\p{L}/gu;
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

/** Words of a sentence; of CJK text, which has no spaces, a word for every two characters. */
export function sentenceWords(text: string): number {
  const wide = text.match(cjk)?.length ?? 0;
  const spaced = text.split(/\s+/).filter((token) => /[\p{L}\p{N}]/u.test(token)).length;
  return Math.max(spaced, Math.ceil(wide / 2));
}

/** Judges one sentence of a source by its form alone; what it is about is not looked at. */
export function suitability(passage: Pick<Passage, "text" | "form" | "headings">): Suitability {
  if (apparatus.test(passage.headings.at(-1) ?? "")) return "unsuitable";
  const plain = plainSentence(passage.text);
  if (plain === null) return "unsuitable";
  const words = sentenceWords(plain);
  if (words < (passage.form === "item" ? 8 : 6) || words > 60 || plain.length > 500) return "unsuitable";
  if (!/[.。！？｡](?:["'”’»)」』]*)$/.test(plain) || /(?:\.\.|…)\W*$/.test(plain)) return "unsuitable";
  if (!/^["'“‘(]?(?:\p{Lu}|\p{Lo}|\p{N}|`)/u.test(plain)) return "unsuitable";
  // A label with its explanation, and the number of a step, are pieces of a list, and so is one of several counted sentences.
  if (/^(?:[^\s:]+\s+){0,5}[^\s:]+:\s/.test(plain) || /^\(?\d+[.)]\s/.test(plain)) return "unsuitable";
  if (/^(?:First|Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth|Ninth|Tenth)(?:ly)?,/.test(plain))
    return "unsuitable";
  if (/\((?:1|a|i)\)/.test(plain) && !/\((?:2|b|ii)\)/.test(plain)) return "unsuitable";
  const outside = plain.replace(/`[^`]*`/g, "code");
  if (pointing.test(outside) || boilerplate.test(outside) || firstPerson.test(outside)) return "unsuitable";
  if (!looksLikeProse(outside) || !hasVerb(outside)) return "unsuitable";
  return leaning.test(plain) || adding.test(plain) ? "follower" : "opener";
}

function looksLikeProse(text: string): boolean {
  const letterCount = text.match(letters)?.length ?? 0;
  if (letterCount / text.replace(/\s/g, "").length < 0.8) return false;
  if (/\p{Extended_Pictographic}|[•·»«►▶→←↑↓✓✔✗]/u.test(text)) return false;
  if (/\p{L}{31}/u.test(text) && !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text))
    return false;
  // Words run together by a careless extraction: `OverviewModelsAgentsTools`.
  if (/(?:\p{Lu}\p{Ll}+){4,}/u.test(text)) return false;
  const tokens = text.split(/\s+/).filter((token) => /^\p{L}/u.test(token));
  const capitals = tokens.filter((token) => /^\p{Lu}/u.test(token)).length;
  if (tokens.length > 5 && capitals / tokens.length > 0.6) return false;
  return (
    balanced(text, "(", ")") && balanced(text, "[", "]") && balanced(text, "“", "”") && isEven(text, '"')
  );
}

function balanced(text: string, open: string, close: string): boolean {
  return text.split(open).length === text.split(close).length;
}

function isEven(text: string, mark: string): boolean {
  return text.split(mark).length % 2 === 1;
}
