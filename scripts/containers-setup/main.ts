import { prepareStore } from "../../shared/artifacts/src/index.ts";
import { parseEnv, storeConfig } from "../../shared/config/src/index.ts";
import { apiKey, makeSecrets } from "./secrets.ts";

const folders = {
  keys: "/run/proofroom/keys",
  gateways: "/run/proofroom/gateways",
  store: "/run/proofroom/store",
};
/** How long the S3 server may take, in milliseconds. */
const patience = 60_000;

/** What has to be done once before the services of the compose file start. */
const tasks: Record<string, () => Promise<void> | void> = {
  secrets: () => makeSecrets(folders),
  "api-key": () => void process.stdout.write(`${apiKey(folders)}\n`),
  async bucket() {
    const { store, s3 } = parseEnv(storeConfig, process.env);
    if (store === undefined) throw new Error("PROOFROOM_STORE must be set.");
    const prepared = await prepareStore({ store, s3 }, AbortSignal.timeout(patience));
    process.stdout.write(`${JSON.stringify(prepared)}\n`);
  },
};

const task = tasks[process.argv[2] ?? ""];
if (task === undefined) {
  process.stderr.write(`usage: node scripts/containers-setup/main.ts ${Object.keys(tasks).join("|")}\n`);
  process.exitCode = 2;
} else {
  try {
    await task();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
