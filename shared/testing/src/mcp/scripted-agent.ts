import type { Answer, Peer } from "./clients.ts";
import { callIn, readSteps, sentencesOf, type WrittenCall } from "./prompt-steps.ts";

type Output = Record<string, unknown>;

/** What an agent brings along that is not in the prompts. */
export interface AgentsOwn {
  /** Sections that it writes itself, by their ids. */
  sections?: Readonly<Record<string, string>>;
  /** Queries that it has searched; without any it leaves the web alone. */
  queries?: readonly { question: string; reason: string }[];
  /** Whether its user takes a draft. */
  takesDraft?: boolean;
}

/** What the words in capitals stand for where a step is done for one of several. */
interface Values {
  ROUND?: number;
  SECTION_ID?: string;
}

/** A call that broke off is made once more: it finds the job that the first one left. */
function called(peer: Peer, tool: string, args: Output): Promise<Answer> {
  return peer.call(tool, args).catch(() => peer.call(tool, args));
}

/**
 * Follows the numbered steps of one prompt as they stand there, in their order, by their own conditions.
 * @throws Error for a step that needs what no step before it has told, for one that cannot be understood, and for a call
 *   that fails where no step says what to do then
 */
async function followPrompt(peer: Peer, text: string, own: AgentsOwn): Promise<void> {
  const { steps, parts } = readSteps(text);
  const tellsToWait = text.includes('Call `job_wait` with `{"job_id": "…"}`');
  const told = new Map<string, unknown>();
  const done = new Set<number>();
  let failure: Error | null = null;
  let agreed = false;

  function known(name: string): unknown {
    if (!told.has(name)) throw new Error(`no step has told ${name} yet`);
    return told.get(name);
  }

  async function settled(answer: Answer): Promise<Answer> {
    let current = answer;
    for (;;) {
      const { status, job_id } = current.structuredContent ?? {};
      if (job_id === undefined || (status !== "queued" && status !== "running")) return current;
      if (!tellsToWait) throw new Error("the prompt does not say how to wait for a job");
      current = await called(peer, "job_wait", { job_id });
    }
  }

  /** The arguments as they are written, with what the agent has of its own in place of the dots. */
  function argsOf({ args }: WrittenCall, { ROUND, SECTION_ID }: Values): Output {
    const filled = args.replace("SECTION_ID", SECTION_ID ?? "SECTION_ID").replace("ROUND", String(ROUND));
    const { queries, text: dots, ...rest } = JSON.parse(filled) as Output;
    const asked = own.queries?.map((query) => (JSON.stringify(queries) === '["…"]' ? query.question : query));
    return {
      ...rest,
      ...(queries === undefined ? {} : { queries: asked }),
      ...(dots === undefined ? {} : { text: own.sections?.[SECTION_ID ?? ""] }),
    };
  }

  async function make(call: WrittenCall, values: Values): Promise<void> {
    const answer = await settled(await called(peer, call.tool, argsOf(call, values)));
    if (answer.isError === true) {
      failure = new Error(answer.content[0]?.text);
      return;
    }
    const { output = answer.structuredContent } = answer.structuredContent ?? {};
    for (const [name, value] of Object.entries(output ?? {})) told.set(name, value);
  }

  /** Whether a sentence with a call is to be followed now. */
  function holds(sentence: string, number: number): boolean {
    const [, step] = /^After step (\d+), call /.exec(sentence) ?? [];
    if (step !== undefined && Number(step) >= number) throw new Error(`step ${number} needs step ${step}`);
    if (step !== undefined) return done.has(Number(step));
    if (sentence.startsWith("If so, ")) return agreed;
    if (sentence.startsWith("If these sources leave questions ")) return own.queries !== undefined;
    const [, counts] = /^If (.*) above 0, call /.exec(sentence) ?? [];
    if (counts !== undefined) {
      const names = [...counts.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? "");
      // A call that was left out has told nothing, but one of them has.
      const seen = names.filter((name) => told.has(name));
      return (seen.length === 0 ? names : seen).some((name) => Number(known(name)) > 0);
    }
    if (/^[Cc]all /.test(sentence)) return true;
    throw new Error(`nobody can tell when to do this: ${sentence}`);
  }

  /** Whether it says to stop, and its condition is met. */
  function stops(sentence: string): boolean {
    const [, name = "", , value] = /`(\w+)` is (`?)(\w+)\2, stop here\.$/.exec(sentence) ?? [];
    if (name === "") throw new Error(`nobody can tell when to stop: ${sentence}`);
    return String(known(name)) === value;
  }

  function askUser(): void {
    agreed = failure !== null && own.takesDraft === true;
    if (agreed) failure = null;
    else if (failure !== null) throw failure;
  }

  /** Does a step; answers true where the list ends with it. */
  async function perform(step: string, number: number, values: Values): Promise<boolean> {
    const isWritten = own.sections?.[values.SECTION_ID ?? ""] !== undefined;
    for (const sentence of sentencesOf(step)) {
      const call = callIn(sentence);
      if (failure !== null && call !== null) throw failure;
      const [, part, round] = /^(?:Else )?(\w+) with (?:this ROUND|ROUND (\d+))\b/i.exec(sentence) ?? [];
      const isInstead = sentence.startsWith("To write a section yourself instead, ");
      if (sentence.endsWith("stop here.")) {
        if (stops(sentence)) return true;
      } else if (part !== undefined) {
        await performAll(
          parts.get(part.toLowerCase()),
          round === undefined ? values : { ROUND: Number(round) },
        );
      } else if (sentence.startsWith("If that failed ")) {
        askUser();
      } else if (isInstead && call !== null) {
        if (isWritten) await make(call, values);
      } else if (call !== null && !isWritten && holds(sentence, number)) {
        await make(call, values);
        done.add(number);
      }
    }
    return false;
  }

  /** Does a step once, or for each of what it names. */
  async function performEach(step: string, number: number, values: Values): Promise<boolean> {
    const [prefix, rounds] = /^For ROUND (\d+(?:, then \d+)*): /.exec(step) ?? [];
    if (prefix !== undefined && rounds !== undefined) {
      for (const ROUND of rounds.split(", then ").map(Number))
        if (await perform(step.slice(prefix.length), number, { ROUND })) return true;
      return false;
    }
    const ofSections = "For each section, ";
    if (!step.startsWith(ofSections)) return perform(step, number, values);
    for (const { section_id: SECTION_ID } of known("sections") as { section_id: string }[])
      await perform(step.slice(ofSections.length), number, { SECTION_ID });
    return false;
  }

  async function performAll(list: readonly string[] | undefined, values: Values): Promise<void> {
    if (list === undefined) throw new Error("a step names a part that the prompt does not have");
    for (const [at, step] of list.entries()) {
      if (failure !== null && !step.startsWith("If that failed ")) throw failure;
      if (await performEach(step, at + 1, values)) break;
    }
    if (failure !== null) throw failure;
  }

  await performAll(steps, {});
}

/** Makes an article of a run, or of a folder that stands for one, by nothing but the three prompts, as a careful reader would follow them. */
export async function followPrompts(
  peer: Peer,
  subject: { run_id: string } | { research_directory: string },
  own: AgentsOwn = {},
): Promise<void> {
  for (const work of ["research", "writer", "publishing"])
    await followPrompt(peer, await peer.prompt(`full_${work}_instructions`, { ...subject }), own);
}
