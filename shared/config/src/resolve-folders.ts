import { isAbsolute, resolve } from "node:path";
import type { z } from "zod";
import type { storeConfig } from "./store-config.ts";

/** Where the user stands, and the checkout that the program is of. */
export interface Places {
  cwd: string;
  checkout: string;
}

type Store = NonNullable<z.output<typeof storeConfig>["store"]>;

/**
 * The folders that settings name, absolute. The default home belongs to the checkout, wherever the user stands; a path
 * that a user gives is theirs, also where npm was started for them (`INIT_CWD`). Without a store the home is it.
 */
export function resolveFolders(
  settings: { home: string; store: Store | undefined },
  env: Readonly<Record<string, string | undefined>>,
  places: Places,
): { cwd: string; home: string; store: Store } {
  const cwd = env["INIT_CWD"] || places.cwd;
  const home = resolve(env["PROOFROOM_HOME"] ? cwd : places.checkout, settings.home);
  const { store = { kind: "file", folder: home } } = settings;
  const isRelative = store.kind === "file" && !isAbsolute(store.folder);
  return { cwd, home, store: isRelative ? { kind: "file", folder: resolve(cwd, store.folder) } : store };
}
