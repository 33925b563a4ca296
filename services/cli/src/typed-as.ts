import { basename, join, relative, resolve } from "node:path";
import type { Places } from "@proofroom/config";

/** A word that no shell takes apart. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A path as whoever stands in a folder would write it: relative below that, else whole. */
function pathFrom(folder: string, path: string): string {
  const below = relative(folder, path);
  return below === "" || below.startsWith("..") ? path : below;
}

/**
 * What the user types before a command's name, by how this process was started: with it a hint names a command that works.
 * npm says in the environment what it runs, and our launcher which file was started.
 */
export function typedAs(env: Readonly<Record<string, string | undefined>>, places: Places): string {
  const checkout = resolve(places.checkout);
  const stood = env["INIT_CWD"] || places.cwd;
  const launcher = env["PROOFROOM_LAUNCHER"] ?? "";
  if (env["npm_lifecycle_event"] === "npx") return "npx proofroom";
  if (env["npm_package_json"] === join(checkout, "package.json")) {
    const isBelow = !relative(checkout, stood).startsWith("..");
    return isBelow ? "npm start --" : `npm --prefix ${quoted(checkout)} start --`;
  }
  if (basename(launcher) !== "proofroom.mjs") return "proofroom";
  const path = pathFrom(stood, launcher);
  return quoted(path.includes("/") ? path : `./${path}`);
}
