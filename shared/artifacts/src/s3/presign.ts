import type { Link, LinkOptions } from "../store.ts";
import type { Bucket } from "./bucket.ts";

/** A name as headers carry it: RFC 8187, `ext-value`. */
function extended(name: string): string {
  const escaped = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `UTF-8''${escaped}`;
}

/**
 * Signs a URL that reads an object, with nothing asked of the server (Signature Version 4 in the query). Links of
 * credentials that are lent for a time end with them.
 */
export async function presignGet(bucket: Bucket, key: string, options: LinkOptions): Promise<Link> {
  const { getSignedUrl } = await import("@aws-sdk/s3-request-presigner");
  const client = bucket.publicClient;
  const { expiration } = await bucket.send(undefined, () => client.config.credentials());
  const signingDate = new Date();
  // The signature counts whole seconds.
  signingDate.setUTCMilliseconds(0);
  const ends = signingDate.getTime() + options.seconds * 1_000;
  const command = new bucket.s3.GetObjectCommand({
    Bucket: bucket.name,
    Key: bucket.keyOf(key),
    ResponseContentType: options.mediaType,
    ResponseContentDisposition: `attachment; filename*=${extended(options.name)}`,
  });
  const url = await bucket.send(undefined, () =>
    getSignedUrl(client, command, { expiresIn: options.seconds, signingDate }),
  );
  return { url, expires: new Date(Math.min(ends, expiration?.getTime() ?? ends)) };
}
