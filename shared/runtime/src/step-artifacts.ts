import { type RunArtifacts, sha256Of, type Version } from "@proofroom/artifacts";
import { type ArtifactRef, type Capability, ProofroomError, type StepRecord } from "@proofroom/contracts";
import type { z } from "zod";
import { authorOf, isPersons } from "./canonical.ts";
import type { StepArtifacts } from "./handler.ts";

export interface RecordedArtifacts extends StepArtifacts {
  readonly reads: StepRecord["reads"];
  readonly writes: StepRecord["writes"];
  /** Names written over a text of a person that the step had not read; it stays in the history. */
  readonly replacedPersons: readonly string[];
}

export interface StepArtifactsOptions {
  artifacts: RunArtifacts;
  capability: Capability;
  stepId: string;
  generation: number;
  signal: AbortSignal;
  onWrite(ref: ArtifactRef): void;
}

function matches(pattern: string, name: string): boolean {
  const star = pattern.indexOf("*");
  if (star === -1) return pattern === name;
  return name.startsWith(pattern.slice(0, star)) && name.endsWith(pattern.slice(star + 1));
}

/**
 * The artifacts as one generation of a step sees them. What this very generation wrote in an execution that was
 * cut short is invisible to it, so that executing it again starts from the same place.
 */
export function recordArtifacts(options: StepArtifactsOptions): RecordedArtifacts {
  const { artifacts, capability, signal } = options;
  const me = authorOf(options.stepId, options.generation);
  const reads = new Map<string, StepRecord["reads"][number]>();
  const writes = new Map<string, StepRecord["writes"][number]>();
  const replacedPersons: string[] = [];

  async function tryRead(name: string): Promise<Uint8Array | null> {
    const version: Version | null = await artifacts.latest(
      name,
      (candidate) => candidate.author !== me,
      signal,
    );
    if (version !== null) {
      reads.set(name, { name, version: version.n, sha256: version.sha256 });
      return artifacts.read(name, version, signal);
    }
    // Without a history it is a plain file (an upload); with one, all versions are this generation's own.
    const mine = (await artifacts.latest(name, undefined, signal)) !== null;
    const bytes = mine ? null : await artifacts.readPlain(name, signal);
    reads.set(name, { name, version: 0, sha256: bytes === null ? null : sha256Of(bytes) });
    return bytes;
  }

  async function read(name: string): Promise<Uint8Array> {
    const bytes = await tryRead(name);
    if (bytes === null) {
      throw new ProofroomError({
        code: "not_found",
        message: `The run has no ${name} yet.`,
        remedy: `Run the step that writes it before ${capability.name}.`,
      });
    }
    return bytes;
  }

  function parse<Schema extends z.ZodType>(
    name: string,
    bytes: Uint8Array,
    schema: Schema,
  ): z.output<Schema> {
    let value: unknown;
    try {
      value = JSON.parse(Buffer.from(bytes).toString("utf8"));
    } catch (cause) {
      throw new ProofroomError({ code: "invalid_input", message: `${name} is not JSON.`, cause });
    }
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    throw new ProofroomError({
      code: "invalid_input",
      message: `${name} does not have the form it should have (${issue?.path.join(".") || "top level"}: ${issue?.message ?? ""}).`,
      remedy: "Mend it by hand, or retry the step that writes it.",
      cause: parsed.error,
    });
  }

  async function writeBytes(name: string, bytes: Uint8Array): Promise<ArtifactRef> {
    if (!capability.writes.some((pattern) => matches(pattern, name))) {
      throw new ProofroomError({
        code: "internal",
        message: `${capability.name} does not declare that it writes ${name}.`,
        disposition: { kind: "fail" },
      });
    }
    const ref = await artifacts.write(name, bytes, { author: me, signal });
    const before = ref.version > 1 ? await artifacts.version(name, ref.version - 1, signal) : null;
    const unread = before !== null && isPersons(before.author) && reads.get(name)?.version !== before.n;
    if (unread && !replacedPersons.includes(name)) replacedPersons.push(name);
    writes.set(name, { name, version: ref.version, sha256: ref.sha256, size: ref.size });
    options.onWrite(ref);
    return ref;
  }

  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("utf8");
  return {
    get reads() {
      return [...reads.values()];
    },
    get writes() {
      return [...writes.values()];
    },
    replacedPersons,
    readBytes: read,
    readText: async (name) => text(await read(name)),
    readJson: async (name, schema) => parse(name, await read(name), schema),
    async tryReadText(name) {
      const bytes = await tryRead(name);
      return bytes === null ? null : text(bytes);
    },
    async tryReadJson(name, schema) {
      const bytes = await tryRead(name);
      return bytes === null ? null : parse(name, bytes, schema);
    },
    async list(prefix) {
      const names: string[] = [];
      for await (const name of artifacts.list(prefix, signal)) names.push(name);
      return names;
    },
    hasPersons: async (name) =>
      (await artifacts.latest(name, ({ author }) => isPersons(author), signal)) !== null,
    writeBytes,
    writeText: (name, content) => writeBytes(name, Buffer.from(content, "utf8")),
    writeJson: (name, value) => writeBytes(name, Buffer.from(`${JSON.stringify(value, null, 2)}\n`, "utf8")),
  };
}
