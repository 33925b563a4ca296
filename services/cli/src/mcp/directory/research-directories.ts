import { openRunArtifacts } from "@proofroom/artifacts";
import type { Directories, FolderReport, GatewayDeps } from "@proofroom/gateway-mcp";
import type { Logger } from "@proofroom/telemetry";
import { openImportFolder } from "../../import/import-folder.ts";
import type { Settings } from "../../settings.ts";
import { bringBack, type Exchanged, takeOver } from "./exchange.ts";
import { locateDirectory } from "./locate-directory.ts";
import { readNote, writeNote } from "./note.ts";

/** A folder that stands for a run. */
interface Bound {
  root: string;
  report: FolderReport;
}

function emptyReport(path: string): FolderReport {
  return { path, takenOver: [], written: [], kept: [], problems: [] };
}

/** Adds what is not there yet: the same file may be told of by several exchanges before somebody asks. */
function add(to: string[], names: readonly string[]): void {
  for (const name of names) if (!to.includes(name)) to.push(name);
}

/** The folders of this machine as runs, for the one client that this process serves. */
export function createDirectories(options: { settings(): Settings; log: Logger }): Directories {
  const bound = new Map<string, Bound>();
  let last: Promise<unknown> = Promise.resolve();

  /** One exchange at a time: two would tell each other's writes from a person's by luck. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  }

  async function bind(path: string, deps: GatewayDeps, signal: AbortSignal): Promise<string> {
    const root = await locateDirectory(options.settings(), path);
    const folder = await openImportFolder(root);
    const { store, tenant } = deps;
    // Reading Markdown is heavy: not before somebody asks for it.
    const { bindDirectory } = await import("./bind-directory.ts");
    const { note, guideline } = await bindDirectory(
      { store, tenant, log: options.log, signal },
      root,
      folder,
    );
    const runId = note.run_id;
    const artifacts = openRunArtifacts(store, runId);
    const done = await takeOver({ root, folder, artifacts, note }, guideline);
    await writeNote(root, note);
    const known = bound.get(runId);
    const report = known?.root === root ? known.report : emptyReport(root);
    bound.set(runId, { root, report });
    add(report.takenOver, done.names);
    add(report.problems, done.problems);
    return runId;
  }

  async function bring({ root }: Bound, runId: string, deps: GatewayDeps) {
    const folder = await openImportFolder(root);
    const note = await readNote(folder);
    const nothing: Exchanged = { names: [], kept: [], problems: [] };
    // Somebody has taken the note away or given the folder to another run.
    if (note?.run_id !== runId) return nothing;
    const artifacts = openRunArtifacts(deps.store, runId);
    const done = await bringBack({ root, folder, artifacts, note });
    await writeNote(root, note);
    return done;
  }

  return {
    folderOf: (runId) => bound.get(runId)?.root,
    bind: (path, deps, signal) => inTurn(() => bind(path, deps, signal)),
    async bringBack(runId, deps) {
      const one = bound.get(runId);
      if (one === undefined) return;
      try {
        const done = await inTurn(() => bring(one, runId, deps));
        add(one.report.written, done.names);
        add(one.report.kept, done.kept);
        add(one.report.problems, done.problems);
      } catch (error) {
        const name = error instanceof Error ? error.name : typeof error;
        options.log.warn({ run: runId, error: name }, "folder not brought up to date");
        add(one.report.problems, ["The folder could not be brought up to date with the run."]);
      }
    },
    report(runId) {
      const one = bound.get(runId);
      if (one === undefined) return emptyReport("");
      bound.set(runId, { root: one.root, report: emptyReport(one.root) });
      return one.report;
    },
  };
}
