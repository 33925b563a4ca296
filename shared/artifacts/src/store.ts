/** What a store keeps about an object. */
export interface ObjectInfo {
  key: string;
  /** Bytes. */
  size: number;
  /** Opaque; changes with every replacement by other content. What `replace` compares. */
  etag: string;
  modified: Date;
}

export type Body = string | Uint8Array | ReadableStream<Uint8Array>;

export interface PutOptions {
  mediaType?: string;
  /** Hex sha256 that the stored bytes must have; what arrives otherwise is refused (`invalid_input`) and not kept. */
  sha256?: string;
  signal?: AbortSignal;
}

export interface GetOptions {
  /** Bytes, both inclusive; `end` beyond the object is cut. */
  range?: { start: number; end?: number };
  signal?: AbortSignal;
}

export interface StoredObject {
  info: ObjectInfo;
  /** Must be consumed or cancelled. Of a ranged read: only the range. */
  body: ReadableStream<Uint8Array>;
}

export interface LinkOptions {
  /** How long it is good for, 1 to 604,800. */
  seconds: number;
  /** What the server is to call the content. */
  mediaType: string;
  /** What the file is called where it is saved. */
  name: string;
}

/** A URL that reads one object, for whoever has it. */
export interface Link {
  url: string;
  expires: Date;
}

/**
 * An object store as Proofroom uses it: whole objects under `/`-separated keys, written atomically and
 * conditionally. Every method throws ProofroomError: `invalid_input` (a key or range outside the rules, content that
 * is not what was announced), `not_found`, `conflict` (a condition did not hold), `too_large`, `not_configured` (no such
 * bucket), `dependency_down` (disk full, server away, credentials refused), `cancelled`. What the stream of a body
 * fails with is passed on, as `internal` unless it is a ProofroomError. Where an object and a folder of the
 * same name cannot both be, as in a file system, the later one is `invalid_input`.
 */
export interface ObjectStore {
  /** Creates the object; `conflict` if the key exists. Of many at once exactly one succeeds. */
  create(key: string, body: Body, options?: PutOptions): Promise<ObjectInfo>;
  /** Replaces the object if its etag is still `etag`; `conflict` otherwise. Of many at once exactly one succeeds. */
  replace(key: string, body: Body, etag: string, options?: PutOptions): Promise<ObjectInfo>;
  get(key: string, options?: GetOptions): Promise<StoredObject>;
  /** The object's facts, or null where there is none. */
  head(key: string, options?: { signal?: AbortSignal }): Promise<ObjectInfo | null>;
  /** All objects whose key starts with `prefix`, in key order (UTF-8 bytes); pages are fetched as needed. */
  list(prefix: string, options?: { signal?: AbortSignal }): AsyncIterable<ObjectInfo>;
  /** Removes the object; no error where there is none. */
  delete(key: string, options?: { signal?: AbortSignal }): Promise<void>;
  /**
   * Makes a link to an object, whether there is one or not, where the store has a server that takes links. It is saved as a
   * file and never shown: whatever the content is, no browser executes it.
   */
  presign?(key: string, options: LinkOptions): Promise<Link>;
  /**
   * Sends bytes to be kept under the key and takes them back, where deleting what was created would leave something: versions.
   * No object is made. A store without it has none.
   */
  tryWriting?(key: string, bytes: Uint8Array, options?: { signal?: AbortSignal }): Promise<void>;
  close(): Promise<void>;
}
