import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkout } from "./testing/case-settings.ts";

const run = promisify(execFile);
let folder: TempFolder;

beforeEach(async () => {
  folder = await makeTempFolder();
});

afterEach(() => folder.close());

it.each([
  ["npm", ["start", "--silent", "--"], "npm start --"],
  [process.execPath, ["services/cli/bin/proofroom.mjs"], "services/cli/bin/proofroom.mjs"],
])("a hint names a command that works as it was started: %s %j", async (command, args, typed) => {
  const { stdout } = await run(command, [...args, "list"], {
    cwd: checkout,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder.path,
      PROOFROOM_HOME: folder.path,
      PROOFROOM_NO_INSTALL: "1",
    },
  });
  expect(stdout).toBe(`There are no runs yet: ${typed} write GUIDELINE.md makes one.\n`);
});
