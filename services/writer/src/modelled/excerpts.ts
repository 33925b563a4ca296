import type { OutlineSection } from "@proofroom/contracts";
import { disarmed } from "@proofroom/models";
import type { EvidenceBase } from "../extractive/evidence-base.ts";
import type { Unit } from "../extractive/units.ts";

/** How much evidence a model is shown for one section, in characters: about six thousand tokens. */
const textBudget = 24_000;
const codeBudget = 8_000;
const titleShown = 200;

/** Passages looked at for each thing that a section is about, and how many of one source. */
const passagesPerQuery = 40;
const passagesPerSource = 15;

interface Excerpts {
  /** What the model is shown, each piece under its source's id. */
  text: string;
  /** Ids of the sources that were shown: what may be cited. */
  sourceIds: ReadonlySet<string>;
}

/** The units that bear on a section, best first: of each thing it is about in turn, so that none is left out. */
function bearing(section: OutlineSection, title: string, base: EvidenceBase): Unit[] {
  const queries = [section.title, ...section.key_points, `${title} ${section.title}`];
  const found = queries.map((query) =>
    base.retriever
      .search(query, { limit: passagesPerQuery, perSource: passagesPerSource, floor: 0.15 })
      .flatMap(({ item }) => base.unitAt(item.sourceId, item.start) ?? []),
  );
  const units = new Set<Unit>();
  for (let rank = 0; rank < passagesPerQuery; rank += 1) {
    for (const hits of found) {
      const unit = hits[rank];
      if (unit !== undefined) units.add(unit);
    }
  }
  return [...units];
}

function textOf(unit: Unit): string {
  return unit.sentences.map(({ text }) => text).join(" ");
}

/**
 * What a model is shown of the evidence for a section: the passages that bear on it, within a budget, in the order of
 * their sources, each source under its id; and code where the section wants some.
 */
export function excerptsFor(section: OutlineSection, title: string, base: EvidenceBase): Excerpts {
  const chosen: Unit[] = [];
  let left = textBudget;
  for (const unit of bearing(section, title, base)) {
    const size = textOf(unit).length;
    if (size > left) continue;
    left -= size;
    chosen.push(unit);
  }
  const bySource = new Map<string, string[]>();
  for (const unit of chosen.toSorted((a, b) => a.id - b.id)) {
    bySource.set(unit.sourceId, [...(bySource.get(unit.sourceId) ?? []), textOf(unit)]);
  }
  if (section.include_code) addCode(section, base, bySource);
  const blocks = [...bySource].map(([id, texts]) => {
    const source = base.corpus.byId.get(id);
    return `<source id="${id}" title=${JSON.stringify(disarmed((source?.title ?? id).slice(0, titleShown)))}>\n${texts.map(disarmed).join("\n\n")}\n</source>`;
  });
  return { text: blocks.join("\n\n"), sourceIds: new Set(bySource.keys()) };
}

function addCode(section: OutlineSection, base: EvidenceBase, bySource: Map<string, string[]>): void {
  let left = codeBudget;
  const query = [section.title, ...section.key_points].join(" ");
  for (const { item } of base.retriever.findCode(query).slice(0, 12)) {
    if (item.code.length > left) continue;
    left -= item.code.length;
    const text = `\`\`\`\`${item.language ?? ""}\n${item.code}\n\`\`\`\``;
    bySource.set(item.sourceId, [...(bySource.get(item.sourceId) ?? []), text]);
  }
}
