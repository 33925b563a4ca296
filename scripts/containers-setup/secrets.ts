import { createHash, randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface SecretFolders {
  /** Read by this program alone: the API key itself. */
  keys: string;
  /** Read by the gateways: the hash of the key. */
  gateways: string;
  /** Read by the S3 server and by everything that uses it. */
  store: string;
}

const apiKeyFile = "api-key";
const mode = 0o400;

/** Makes what secrets there are not yet, at random. Those that there are stay: a stack that is started again is the same. */
export function makeSecrets({ keys, gateways, store }: SecretFolders): void {
  create(join(keys, apiKeyFile), () => `${randomBytes(32).toString("hex")}\n`);
  const hash = createHash("sha256").update(apiKey({ keys })).digest("hex");
  create(join(gateways, "gateways.env"), () => `PROOFROOM_API_KEYS=default:${hash}\n`);
  create(join(store, "store.env"), () =>
    [
      `AWS_ACCESS_KEY_ID=proofroom-${randomBytes(4).toString("hex")}`,
      `AWS_SECRET_ACCESS_KEY=${randomBytes(24).toString("hex")}`,
      "",
    ].join("\n"),
  );
  // The same, in the form that each S3 server reads.
  const { AWS_ACCESS_KEY_ID: id = "", AWS_SECRET_ACCESS_KEY: secret = "" } = settingsIn(
    readFileSync(join(store, "store.env"), "utf8"),
  );
  create(join(store, "root-user"), () => id);
  create(join(store, "root-password"), () => secret);
  create(join(store, "seaweedfs.json"), () =>
    JSON.stringify({
      identities: [
        {
          name: "proofroom",
          credentials: [{ accessKey: id, secretKey: secret }],
          actions: ["Admin", "Read", "Write", "List", "Tagging"],
        },
      ],
    }),
  );
}

/** The API key of the stack's gateways. */
export function apiKey({ keys }: Pick<SecretFolders, "keys">): string {
  return readFileSync(join(keys, apiKeyFile), "utf8").trim();
}

function settingsIn(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}

/** Whole or not at all; of two that create a file at once, the first one's stays. */
function create(file: string, content: () => string): void {
  if (existsSync(file)) return;
  const staged = `${file}.${process.pid}`;
  writeFileSync(staged, content(), { mode });
  try {
    linkSync(staged, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(staged);
  }
}
