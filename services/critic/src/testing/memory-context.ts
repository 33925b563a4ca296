import { createHash } from "node:crypto";
import { ProofroomError } from "@proofroom/contracts";
import type { StepArtifacts, StepContext } from "@proofroom/runtime";
import { silentLogger } from "@proofroom/telemetry";
import type { z } from "zod";

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A step's context over a map of artifacts. */
export function contextOf(stored: Map<string, string>, stepId: string): StepContext {
  const text = (name: string) => {
    const found = stored.get(name);
    if (found === undefined) throw new ProofroomError({ code: "not_found", message: `There is no ${name}.` });
    return found;
  };
  const json = <Schema extends z.ZodType>(name: string, schema: Schema) =>
    schema.parse(JSON.parse(text(name)));
  const write = async (name: string, content: string) => {
    stored.set(name, content);
    return { name, version: 1, sha256: sha256(content), size: content.length };
  };
  const artifacts: StepArtifacts = {
    readText: async (name) => text(name),
    readBytes: async (name) => Buffer.from(text(name)),
    readJson: async (name, schema) => json(name, schema),
    tryReadText: async (name) => stored.get(name) ?? null,
    tryReadJson: async (name, schema) => (stored.has(name) ? json(name, schema) : null),
    hasPersons: async () => false,
    list: async (prefix) => [...stored.keys()].filter((name) => name.startsWith(prefix)),
    writeText: write,
    writeBytes: (name, bytes) => write(name, Buffer.from(bytes).toString()),
    writeJson: (name, value) => write(name, JSON.stringify(value)),
  };
  return {
    runId: "run_01J00000000000000000000000",
    stepId,
    generation: 1,
    artifacts,
    signal: new AbortController().signal,
    log: silentLogger(),
    progress: () => {},
    fanOut: async () => [],
  };
}
