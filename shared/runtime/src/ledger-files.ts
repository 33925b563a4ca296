import { type ObjectStore, tryReadObject } from "@proofroom/artifacts";
import { isProofroomError } from "@proofroom/contracts";
import type { z } from "zod";

/** The files of one run's records. Each is created once and never changes, so that none is read twice. */
export interface LedgerFiles {
  /** Null where there is none. */
  read<Schema extends z.ZodType>(key: string, schema: Schema): Promise<z.output<Schema> | null>;
  /** False where the file stands already. */
  create(key: string, value: unknown): Promise<boolean>;
  /** Whether a file is there now, whatever was read before. */
  isThere(key: string): Promise<boolean>;
  /** Leaves an empty mark in the store, outside the run. */
  note(key: string): Promise<void>;
  /** Names in a folder, relative to it, in order. */
  names(folder: string): Promise<string[]>;
}

export function openLedgerFiles(store: ObjectStore, runId: string): LedgerFiles {
  const base = `runs/${runId}/`;
  const known = new Map<string, unknown>();

  async function createIfAbsent(key: string, body: string): Promise<boolean> {
    try {
      await store.create(key, body);
      return true;
    } catch (error) {
      if (isProofroomError(error) && error.code === "conflict") return false;
      throw error;
    }
  }

  return {
    async read(key, schema) {
      const cached = known.get(key);
      if (cached !== undefined) return cached as z.output<typeof schema>;
      const bytes = await tryReadObject(store, base + key);
      if (bytes === null) return null;
      const value = schema.parse(JSON.parse(Buffer.from(bytes).toString("utf8")));
      known.set(key, value);
      return value;
    },
    create: (key, value) => createIfAbsent(base + key, `${JSON.stringify(value, null, 2)}\n`),
    isThere: async (key) => (await store.head(base + key)) !== null,
    note: async (key) => void (await createIfAbsent(key, "")),
    async names(folder) {
      const found: string[] = [];
      for await (const info of store.list(base + folder))
        found.push(info.key.slice(base.length + folder.length));
      return found;
    },
  };
}
