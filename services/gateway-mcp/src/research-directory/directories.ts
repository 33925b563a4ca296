import type { GatewayDeps } from "../gateway-deps.ts";

/** What has happened in a folder since it was last told. */
export interface FolderReport {
  /** The folder, absolute. */
  path: string;
  /** Artifacts that had been changed in the folder and are a person's versions now. */
  takenOver: string[];
  /** Artifacts that have been written into the folder. */
  written: string[];
  /** Files that were changed in the folder meanwhile, and so were left as they are. */
  kept: string[];
  /** What could not be read or written, in a line each. */
  problems: string[];
}

/**
 * Folders that stand for runs: what whoever serves a client on the same machine brings. Each folder has one run, found
 * again by a note in the folder.
 */
export interface Directories {
  /** The folder of a run that was bound in this process. */
  folderOf(runId: string): string | undefined;
  /**
   * Answers the run of a folder, made where there is none, after taking over what was changed in the folder.
   * @throws ProofroomError not_found, invalid_input, too_large
   */
  bind(path: string, deps: GatewayDeps, signal: AbortSignal): Promise<string>;
  /** Brings what a bound run has written into its folder. What fails is told by `report`. */
  bringBack(runId: string, deps: GatewayDeps): Promise<void>;
  report(runId: string): FolderReport;
}
