import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { artifact, capabilitiesOf, ProofroomError, type ServiceName } from "@proofroom/contracts";
import type { Handlers, StepContext } from "@proofroom/runtime";
import { type ChaosScript, chaosScriptSchema } from "./chaos-script.ts";
import { fakeSteps } from "./fake-steps.ts";
import { between } from "./random.ts";

export interface FakeHandlerOptions {
  /** Folder outside the store where it is noted which step has stumbled, so that it does so once. */
  marks: string;
  random(): number;
}

/** Now and then a handler holds the event loop for so long, in milliseconds. */
const longestBlock = 120;

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

async function firstTime(marks: string, name: string): Promise<boolean> {
  return writeFile(join(marks, name), "", { flag: "wx" }).then(
    () => true,
    () => false,
  );
}

async function play(
  script: ChaosScript,
  capability: string,
  input: Readonly<Record<string, unknown>>,
  { runId, stepId }: StepContext,
  { marks }: FakeHandlerOptions,
): Promise<void> {
  const child = [...script.documents, ...script.pages].find(
    ({ ref }) => ref === input["path"] || ref === input["url"],
  );
  if (script.doomed === capability || child?.fate === "fails")
    throw new ProofroomError({ code: "invalid_input", message: "The script says that this fails." });
  const stumbles = child === undefined ? script.stumbling.includes(capability) : child.fate === "stumbles";
  if (stumbles && (await firstTime(marks, `${runId}-${stepId}`)))
    throw new ProofroomError({
      code: "unreachable",
      message: "The script says that this fails once.",
      disposition: { kind: "retry_after", delayMs: 20 },
    });
}

/** Handlers for every capability of a service that play the script of the run. Their results depend on nothing else. */
export function fakeHandlers<Service extends ServiceName>(
  service: Service,
  options: FakeHandlerOptions,
): Handlers<Service> {
  const entries = capabilitiesOf(service).map(({ name }) => {
    const handler = async (input: Record<string, unknown>, context: StepContext) => {
      const text = await context.artifacts.readText(artifact.guideline);
      const script = chaosScriptSchema.parse(JSON.parse(text));
      await pause(between(options.random, 0, 30));
      if (options.random() < 0.05) block(between(options.random, 20, longestBlock));
      await play(script, name, input, context, options);
      const step = fakeSteps[name];
      if (step === undefined) throw new ProofroomError({ code: "internal", message: `No fake for ${name}.` });
      return step({ input, context, script });
    };
    return [name, handler];
  });
  return Object.fromEntries(entries) as Handlers<Service>;
}
