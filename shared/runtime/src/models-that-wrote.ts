import { stepRecordSchema } from "@proofroom/contracts";
import { z } from "zod";
import type { StepArtifacts } from "./handler.ts";
import { ledgerKeys } from "./ledger-keys.ts";

/** The records of the steps that write text. */
const writing = /\/((?:draft_article_section|refine_and_save_article)(?:-[0-9a-f]{16})?)\.g(\d+)\.json$/;

const writtenSchema = stepRecordSchema.extend({ output: z.looseObject({ written_by: z.string() }) });

/** What a step says that wrote without a model. */
const nobody = "extractive";

/** The models that wrote in this run, by name, as the newest records of the steps that write say; none where none did. */
export async function modelsThatWrote(artifacts: StepArtifacts): Promise<string[]> {
  const newest = new Map<string, { generation: number; name: string }>();
  for (const name of await artifacts.list(ledgerKeys.steps)) {
    const [, step, generation] = writing.exec(name) ?? [];
    if (step === undefined || Number(generation) <= (newest.get(step)?.generation ?? 0)) continue;
    newest.set(step, { generation: Number(generation), name });
  }
  const models = new Set<string>();
  for (const { name } of newest.values()) {
    const { output } = await artifacts.readJson(name, writtenSchema);
    for (const model of output.written_by.split(", ")) if (model !== nobody) models.add(model);
  }
  return [...models].sort();
}
