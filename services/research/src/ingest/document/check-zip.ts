import { ProofroomError } from "@proofroom/contracts";
import { fromBufferPromise, type ZipFile } from "yauzl";
import { invalid } from "./detect-format.ts";

const limits = {
  entries: 2_000,
  /** Bytes of all entries when inflated, as declared and as they really are. */
  inflated: 100 * 1024 * 1024,
  /** Inflated by compressed size, where more than 5 MB come out. */
  ratio: 200,
};

const smallArchive = 5 * 1024 * 1024;

/**
 * Looks at all of an archive before anything inflates it into memory: inflates each entry, keeping nothing, and
 * stops where a limit is passed, whatever sizes the archive declares.
 * @returns the names of its entries
 * @throws ProofroomError too_large (a zip bomb among others), invalid_input (broken or encrypted)
 */
export async function checkZip(bytes: Uint8Array): Promise<Set<string>> {
  const zip = await open(bytes);
  if (zip.entryCount > limits.entries) throw tooLarge();
  const most = Math.max(smallArchive, Math.min(limits.inflated, bytes.length * limits.ratio));
  const names = new Set<string>();
  let declared = 0;
  let inflated = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      names.add(entry.fileName);
      declared += entry.uncompressedSize;
      if (names.size > limits.entries || declared > most) throw tooLarge();
      if (entry.isEncrypted())
        throw invalid("The file is an encrypted archive.", "Save it without a password.");
      if (entry.fileName.endsWith("/")) continue;
      for await (const chunk of await zip.openReadStreamPromise(entry)) {
        inflated += (chunk as Buffer).length;
        if (inflated > most) throw tooLarge();
      }
    }
  } catch (error) {
    throw error instanceof ProofroomError ? error : broken();
  }
  return names;
}

async function open(bytes: Uint8Array): Promise<ZipFile> {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // The sizes are counted here: a wrong declaration must not hide how much comes out.
    return await fromBufferPromise(buffer, { validateEntrySizes: false, strictFileNames: false });
  } catch {
    throw broken();
  }
}

function broken(): ProofroomError {
  return invalid("The file is a broken archive.");
}

function tooLarge(): ProofroomError {
  return new ProofroomError({
    code: "too_large",
    message: "The archive inflates to more than may be read.",
    remedy: "Give a smaller file.",
  });
}
