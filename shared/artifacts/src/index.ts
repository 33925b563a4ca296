export { createFsStore } from "./fs/fs-store.ts";
export { openStore, type StoreSettings } from "./open-store.ts";
export { type PreparedStore, prepareStore } from "./prepare-store.ts";
export { readObject, sha256Of, tryReadObject } from "./read.ts";
export { costOfRun } from "./recordings/cost.ts";
export { readRecording, recordingKey, recordingName, recordingsOf } from "./recordings/recording.ts";
export { type CallTally, createTallies, type Tallies } from "./recordings/tallies.ts";
export { openRunArtifacts, type RunArtifacts } from "./run-artifacts.ts";
export type { S3StoreOptions } from "./s3/bucket.ts";
export { createS3Store } from "./s3/s3-store.ts";
export type {
  Body,
  GetOptions,
  Link,
  LinkOptions,
  ObjectInfo,
  ObjectStore,
  PutOptions,
  StoredObject,
} from "./store.ts";
export { traceStore } from "./traced-store.ts";
export type { Version } from "./version-chain.ts";
export { type WriteWatch, watchWrites } from "./watch-writes.ts";
