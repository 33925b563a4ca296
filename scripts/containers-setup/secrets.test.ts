import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { apiKey, makeSecrets } from "./secrets.ts";

const root = mkdtempSync(join(tmpdir(), "proofroom-secrets-"));
afterEach(() => rmSync(root, { recursive: true }));

test("secrets are made once, agree with each other, and the gateways learn only the hash of the key", () => {
  const folders = { keys: join(root, "k"), gateways: join(root, "g"), store: join(root, "s") };
  for (const folder of Object.values(folders)) mkdirSync(folder);
  const all = () =>
    Object.values(folders).flatMap((folder) =>
      readdirSync(folder).map((name) => `${name}: ${readFileSync(join(folder, name), "utf8")}`),
    );

  makeSecrets(folders);
  const first = all();
  makeSecrets(folders);
  expect(all()).toEqual(first);

  const key = apiKey(folders);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  const hash = createHash("sha256").update(key).digest("hex");
  expect(readFileSync(join(folders.gateways, "gateways.env"), "utf8")).toBe(
    `PROOFROOM_API_KEYS=default:${hash}\n`,
  );
  expect(first.filter((text) => text.includes(key))).toHaveLength(1);
  const id = readFileSync(join(folders.store, "root-user"), "utf8");
  const secret = readFileSync(join(folders.store, "root-password"), "utf8");
  expect(readFileSync(join(folders.store, "store.env"), "utf8")).toBe(
    `AWS_ACCESS_KEY_ID=${id}\nAWS_SECRET_ACCESS_KEY=${secret}\n`,
  );
  expect(readFileSync(join(folders.store, "seaweedfs.json"), "utf8")).toContain(secret);
  expect(statSync(join(folders.store, "store.env")).mode & 0o777).toBe(0o400);
});
