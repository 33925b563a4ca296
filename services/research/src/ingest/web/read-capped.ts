/** The parts of a response that are read here; undici's and the platform's own both have them. */
interface Body {
  headers: { get(name: string): string | null };
  body: (AsyncIterable<Uint8Array> & { cancel(): Promise<void> }) | null;
}

/** The body of a response, counted as it arrives after decompression; null where it is larger than the limit. */
export async function readCapped({ headers, body }: Body, maxBytes: number): Promise<Uint8Array | null> {
  if (Number(headers.get("content-length") ?? 0) > maxBytes) {
    await body?.cancel();
    return null;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** As much of a body as there is, and no more than the limit: the rest is left where it is. */
export async function readBeginning({ body }: Pick<Body, "body">, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}
