/** The numbered steps of a prompt, and those of its parts: what "To evaluate with a ROUND:" heads is the part `evaluate`. */
export interface PromptSteps {
  steps: readonly string[];
  parts: ReadonlyMap<string, readonly string[]>;
}

/** @throws Error for steps whose numbers do not follow each other */
export function readSteps(text: string): PromptSteps {
  const steps: string[] = [];
  const parts = new Map<string, string[]>();
  let list = steps;
  for (const line of text.split("\n")) {
    const [, part] = /^To (\w+) with a ROUND:$/.exec(line) ?? [];
    const [, number, step] = /^(\d+)\. (.*)$/.exec(line) ?? [];
    if (part !== undefined) {
      list = [];
      parts.set(part, list);
    } else if (step !== undefined && list.push(step) !== Number(number)) {
      throw new Error(`not the step that follows: ${line}`);
    }
  }
  return { steps, parts };
}

/** The sentences of a step; what stands in backquotes is part of one. */
export function sentencesOf(step: string): string[] {
  return step.split(/(?<=[.;]) (?=(?:[^`]*`[^`]*`)*[^`]*$)/);
}

/** A call as the instructions write it: a tool's name and its arguments, both in backquotes. */
export interface WrittenCall {
  tool: string;
  args: string;
}

export function callIn(sentence: string): WrittenCall | null {
  const [, tool, args] = /\b[Cc]all `([a-z_]+)` with `(\{[^`]*\})`/.exec(sentence) ?? [];
  return tool === undefined || args === undefined ? null : { tool, args };
}
