import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askedIn, goodGemini } from "../services/cli/src/testing/good-model.ts";
import { makeTempFolder, startFakeProvider, type TempFolder } from "../shared/testing/src/index.ts";
import { checkoutFolder } from "./checks/check.ts";

let folder: TempFolder;

beforeEach(async () => {
  folder = await makeTempFolder();
});

afterEach(() => folder.close());

async function smoke(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(checkoutFolder, "scripts", "smoke-live", "main.ts"), ...args], {
    cwd: folder.path,
    env: {
      PATH: process.env["PATH"] ?? "",
      PROOFROOM_HOME: join(folder.path, "home"),
      PROOFROOM_NO_INSTALL: "1",
      ...env,
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
  });
  const [code] = await once(child, "close");
  return { code, said };
}

describe("the smoke test of live providers", { timeout: 90_000 }, () => {
  it("names the settings that are missing, and fails, where no model is configured", async () => {
    const { code, said } = await smoke([]);
    expect(code).toBe(4);
    expect(said).toBe(
      "No model is configured. Set one of: GEMINI_API_KEY; GROQ_API_KEY; OPENAI_BASE_URL and OPENAI_MODEL.\n",
    );
    expect(await readdir(folder.path)).not.toContain("proofroom-out");
  });

  it("writes the example with a model, says what it cost, replays it, and keeps its recordings", async () => {
    const fake = await startFakeProvider(goodGemini);
    try {
      const env = { GEMINI_API_KEY: "key-of-a-test", GEMINI_BASE_URL: fake.base };
      const { code, said } = await smoke(["--keep", "kept"], env);
      expect(said).toContain(`${fake.requests.length} calls`);
      expect(said).toContain("Replayed offline: the same article.");
      expect(code).toBe(0);
      expect(await readdir(join(folder.path, "kept"))).toHaveLength(fake.requests.length);
      expect(fake.requests.map((request) => askedIn(request).stage)).toContain("critic");
    } finally {
      await fake.close();
    }
  });
});
