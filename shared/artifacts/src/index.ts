export { createFsStore } from "./fs/fs-store.ts";
export { readObject, sha256Of, tryReadObject } from "./read.ts";
export { openRunArtifacts, type RunArtifacts, type Version } from "./run-artifacts.ts";
export type { Body, GetOptions, ObjectInfo, ObjectStore, PutOptions, StoredObject } from "./store.ts";
