import type { EvidenceBase } from "../extractive/evidence-base.ts";

/** Of the names in a block of code the sources must have so many; of commands, which install and delete, nearly all. */
const leastShare = 0.4;
const leastOfCommands = 0.8;
const commands = /^(?:bash|console|powershell|fish|zsh|bat|cmd)$/;
/** Data and output are nobody's code. */
const notCode = /^(?:text|output|log|diff|mermaid)$/;

const name = /[\p{L}_][\p{L}\p{N}_]{2,}/gu;

/** Tells whether a block of code has its names from the sources: what a model makes up must not be run by readers. */
export function codeIn({
  corpus,
}: Pick<EvidenceBase, "corpus">): (code: string, language: string | null) => boolean {
  let known: Set<string> | undefined;
  return (code, language) => {
    if (language !== null && notCode.test(language)) return true;
    known ??= new Set(corpus.sources.flatMap(({ text }) => namesIn(text)));
    const names = [...new Set(namesIn(code))];
    if (names.length === 0) return true;
    const share = names.filter((one) => known?.has(one)).length / names.length;
    return share >= (language !== null && commands.test(language) ? leastOfCommands : leastShare);
  };
}

function namesIn(text: string): string[] {
  return (text.match(name) ?? []).map((one) => one.toLowerCase());
}
