import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { s3ForTests } from "./s3-for-tests.ts";

const nowhere = { PATH: "/nowhere" };

beforeEach(() => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  ["fails in CI", { CI: "true" }, true],
  ["fails nowhere else", {}, false],
  ["fails nowhere else (CI=false)", { CI: "false" }, false],
  ["fails not where a setting says so", { CI: "true", S3_TEST_OPTIONAL: "1" }, false],
])("the lack of an S3 server %s", async (_where, env, isLacking) => {
  const s3 = await s3ForTests("A test of tests", { ...nowhere, ...env });
  expect(s3).toEqual({ server: null, told: expect.stringMatching(/^did not run: no S3 server/), isLacking });
});

it("an S3 server that is there is told by its name", async () => {
  const env = { ...nowhere, CI: "true", S3_TEST_ENDPOINT: "http://127.0.0.1:9" };
  const { told, isLacking } = await s3ForTests("A test of tests", env);
  expect([told, isLacking]).toEqual(["ran on the server at S3_TEST_ENDPOINT", false]);
});
