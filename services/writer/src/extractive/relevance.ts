import type { OutlineSection } from "@proofroom/contracts";
import { terms } from "@proofroom/evidence";
import type { EvidenceBase } from "./evidence-base.ts";
import { isGeneric, subjectOf } from "./subject.ts";
import type { Unit } from "./units.ts";

/** How well a unit answers one of the questions of a section. */
export interface Bearing {
  unit: Unit;
  /** Position of the key point it answers; -1 for the section as a whole. */
  point: number;
  /** 0 to 1. */
  value: number;
  /** One sentence has half of the key point's words: enough to say that it is covered. */
  covers: boolean;
}

/** Of a query, what a sentence must bear on to be used for it. Below, it is about something else. */
const floor = 0.3;
const sectionFloor = 0.22;
/** Hits looked at for one query. */
const depth = 150;

/** All units that bear on a section, best first; each once for every key point it answers. */
export function bearings(section: OutlineSection, articleTitle: string, base: EvidenceBase): Bearing[] {
  const subject = subjectOf(section.title);
  const about = isGeneric(subject) ? articleTitle : subject;
  const found: Bearing[] = [];
  for (const [point, text] of section.key_points.entries()) {
    found.push(...answers(text, point, floor, base));
    for (const item of enumerated(text)) {
      const partly = answers(`${item} ${articleTitle}`, point, 2 * floor, base);
      found.push(...partly.map((bearing) => ({ ...bearing, value: bearing.value * 0.6, covers: false })));
    }
  }
  const whole = answers(about, -1, section.key_points.length > 0 ? 2 * sectionFloor : sectionFloor, base);
  found.push(...whole.map((bearing) => ({ ...bearing, value: bearing.value * 0.7 })));
  if (isGeneric(subject)) {
    const opening = introduces(articleTitle, base);
    for (const bearing of found) bearing.value += 0.3 * opening(bearing.unit);
  }
  if (section.key_points.length > 0) {
    const all = answers(
      [about, ...section.key_points].join(" "),
      section.key_points.length,
      sectionFloor,
      base,
    );
    found.push(...all.map((bearing) => ({ ...bearing, value: bearing.value * 0.5, covers: false })));
  }
  return found.sort((a, b) => b.value - a.value || a.unit.id - b.unit.id || a.point - b.point);
}

/** What a key point lists: `limits: timeouts, rates and security` → its four parts; none where it is no list. */
function enumerated(point: string): string[] {
  const parts = point.split(/[:,;()→]|\band\b/).filter((part) => terms(part).length > 0);
  return parts.length > 2 ? parts : [];
}

/**
 * How plainly a unit says what a subject is, 0 to 1: the subject stands at its beginning, with little else, before
 * a verb that explains. What comes early in its source is more often about the whole.
 */
export function introduces(subject: string, { corpus }: EvidenceBase): (unit: Unit) => number {
  const wanted = new Set(terms(subject));
  const explains =
    /^(?:\S+\s+){1,12}?(?:is|are|lets?|allows?|enables?|provides?|refers? to|means?|describes?|gives?|helps?|makes?|turns?)\b/i;
  return (unit) => {
    const lead = explains.exec(unit.sentences[0]?.text ?? "")?.[0];
    if (lead === undefined || wanted.size === 0) return 0;
    const said = new Set(terms(lead));
    const share = shareOf(wanted, said);
    if (share < (wanted.size <= 3 ? 1 : 0.5)) return 0;
    const length = corpus.byId.get(unit.sourceId)?.text.length ?? 1;
    const early = 1 - 0.6 * ((unit.sentences[0]?.passage.start ?? 0) / length);
    return early * ([1, 0.7][said.size - Math.round(share * wanted.size)] ?? 0.4);
  };
}

function answers(query: string, point: number, least: number, base: EvidenceBase): Bearing[] {
  const hits = base.retriever.search(query, { limit: depth, floor: least, diversity: 0 });
  const best = hits[0]?.score ?? 0;
  const wanted = new Set(terms(query));
  const values = new Map<Unit, { value: number; covers: boolean }>();
  for (const { item, score, coverage } of hits) {
    const unit = base.unitAt(item.sourceId, item.start);
    const sentence = unit?.sentences.find(({ passage }) => passage.start === item.start);
    if (unit === undefined || sentence === undefined) continue;
    const weight = unit.sentences[0] === sentence ? 1 : 0.5;
    const value = (0.65 * coverage + 0.35 * (score / best)) * weight * manner(unit);
    const covers = weight === 1 && shareOf(wanted, base.termsOf(sentence)) >= 0.5;
    const known = values.get(unit);
    if (known === undefined || known.value < value) values.set(unit, { value, covers });
  }
  return [...values].map(([unit, { value, covers }]) => ({
    unit,
    point,
    value: Math.round(value * 1e6) / 1e6,
    covers: point >= 0 && covers,
  }));
}

/** The part of the wanted terms that is there, 0 to 1. */
export function shareOf(wanted: ReadonlySet<string>, present: ReadonlySet<string>): number {
  let shared = 0;
  for (const term of wanted) if (present.has(term)) shared += 1;
  return wanted.size === 0 ? 0 : shared / wanted.size;
}

/** List items read like notes, and sentences that address a reader or speak for their authors like someone else's. */
function manner(unit: Unit): number {
  const first = unit.sentences[0];
  if (first === undefined) return 0;
  let factor = first.passage.form === "paragraph" ? 1 : 0.85;
  if (/\b(?:we|us|our|ours)\b/i.test(first.text)) factor *= 0.75;
  if (first.words < 9) factor *= 0.8;
  return factor;
}
