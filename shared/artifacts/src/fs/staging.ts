import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { ProofroomError } from "@proofroom/contracts";
import type { Body, PutOptions } from "../store.ts";

async function* chunksOf(body: Body): AsyncGenerator<Uint8Array> {
  if (typeof body === "string") yield Buffer.from(body, "utf8");
  else if (body instanceof Uint8Array) yield body;
  else yield* body;
}

async function copy(body: Body, file: FileHandle, options: PutOptions): Promise<void> {
  const hash = createHash("sha256");
  for await (const chunk of chunksOf(body)) {
    options.signal?.throwIfAborted();
    hash.update(chunk);
    await file.appendFile(chunk);
  }
  if (options.sha256 !== undefined && hash.digest("hex") !== options.sha256) {
    throw new ProofroomError({
      code: "conflict",
      message: "The content does not have the sha256 that was announced.",
      disposition: { kind: "retry" },
    });
  }
  await file.sync();
}

/**
 * Writes the body to a file of its own, synced to disk, hands its path to `publish` and removes it afterwards,
 * whatever happens: a reader never sees half an object.
 */
export async function withStagedFile<T>(
  folder: string,
  body: Body,
  options: PutOptions,
  publish: (path: string) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  const file = await open(path, "wx", 0o644);
  try {
    try {
      await copy(body, file, options);
    } finally {
      await file.close();
    }
    return await publish(path);
  } finally {
    await unlink(path).catch(() => undefined);
  }
}
