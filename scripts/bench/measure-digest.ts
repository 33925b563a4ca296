import { globSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { openParsePool } from "../../services/research/src/ingest/parsing/parse-pool.ts";
import { ingestFolder } from "../../services/research/src/ingest/repository/ingest-repository.ts";
import { runCommand } from "../../shared/queue/src/private-redis/run-command.ts";
import type { Measure } from "./measurement.ts";
import { alternate, elapsedMs } from "./rounds.ts";
import { median, pairedRatio } from "./statistics.ts";
import { inTempHome } from "./temp-home.ts";

const timeoutMs = 120_000;

/** The checkout's own source, without what is installed or made. */
function sourceFiles(root: string): string[] {
  return globSync("{shared,services,scripts,docs}/**/*", {
    cwd: root,
    withFileTypes: true,
    exclude: (entry) => entry.name === "node_modules",
  })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replace(/^\/+/, ""))
    .sort();
}

async function* contents(folder: string, files: readonly string[]) {
  for (const path of files) yield { path, bytes: await readFile(join(folder, path)) };
}

/**
 * This checkout's source as a git repository: turned into a source of a run (files, spans and their places) against the command line
 * of repomix, which makes one Markdown file of it and counts its tokens besides.
 */
export const measureDigest: Measure = ({ root, signal }) =>
  inTempHome(async (home) => {
    const tree = join(home, "repository");
    const files = sourceFiles(root);
    for (const file of files) await cp(join(root, file), join(tree, file));
    const command = async (name: string, args: readonly string[]) => {
      const { exitCode, stderr } = await runCommand(name, args, { timeoutMs, signal, cwd: tree });
      if (exitCode !== 0) throw new Error(`${name} failed: ${stderr.slice(0, 500)}`);
    };
    await command("git", ["init", "--quiet"]);
    await command("git", ["add", "--all"]);
    const author = [
      "-c",
      "user.name=Bench",
      "-c",
      "user.email=bench@localhost",
      "-c",
      "commit.gpgsign=false",
    ];
    await command("git", [...author, "commit", "--quiet", "--message", "All of it"]);
    const repomix = join(root, "node_modules/repomix/bin/repomix.cjs");
    const output = join(home, "repomix.md");
    const times = await alternate(
      {
        ours: () =>
          elapsedMs(async () => {
            // Opened anew: the process that reads is started for each, as that of repomix is.
            const parsing = openParsePool();
            try {
              await ingestFolder({
                ref: "repository/",
                isRepository: true,
                files: contents(tree, files),
                parsing,
                tempRoot: join(home, "tmp"),
                signal,
              });
            } finally {
              await parsing.close();
            }
          }),
        repomix: () =>
          elapsedMs(() =>
            command(process.execPath, [repomix, "--quiet", "--style", "markdown", "--output", output, "."]),
          ),
      },
      { rounds: 5, warmUp: 1, signal },
    );
    return [
      {
        what: `digest of ${files.length} files`,
        value: median(times.ours) / 1_000,
        unit: "s",
        base: { what: "repomix, the command", value: median(times.repomix) / 1_000 },
        ratio: pairedRatio(times.ours, times.repomix),
      },
    ];
  });
