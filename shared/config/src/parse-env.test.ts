import { format, inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ConfigError } from "./config-error.ts";
import { homeConfig } from "./home-config.ts";
import { installConfig } from "./install-config.ts";
import { modelsConfig } from "./models-config.ts";
import { networkConfig } from "./network-config.ts";
import { parseEnv } from "./parse-env.ts";
import { redisConfig } from "./redis-config.ts";
import { Secret } from "./secret.ts";
import { storeConfig } from "./store-config.ts";
import { tenantJobsConfig } from "./tenant-jobs-config.ts";
import { workersConfig } from "./workers-config.ts";

function errorOf(work: () => unknown): ConfigError {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("parseEnv", () => {
  test.each([
    ["PROOFROOM_TENANT_JOBS", "0", "must be 1 or more"],
    ["PROOFROOM_TENANT_JOBS", "99999", "must be 10000 or less"],
    ["PROOFROOM_TENANT_JOBS", "many-5b2e", "must be a number"],
    ["PROOFROOM_RECORD", "nope-5b2e", "must be on or off"],
    ["PROOFROOM_CONCURRENCY", "x-5b2e", "must be a number from 1 to 1000, or such as"],
  ])("%s=%s is refused with what it takes, and never with what it was", (name, value, words) => {
    const schema = tenantJobsConfig.and(modelsConfig).and(workersConfig);
    const { message } = errorOf(() => parseEnv(schema, { [name]: value }));
    expect(message).toContain(words);
    expect(message).not.toContain("5b2e");
  });

  test("fragments compose into one frozen object", () => {
    const config = parseEnv(homeConfig.and(networkConfig).and(installConfig), {
      PROOFROOM_HOME: "/srv/rooms",
      PROOFROOM_ALLOW_HOSTS: "LocalHost:8080, [::1]:9000",
      UNRELATED: "x",
    });
    expect(config).toEqual({
      home: "/srv/rooms",
      allowHosts: ["localhost:8080", "[::1]:9000"],
      allowInstall: true,
    });
    expect(Object.isFrozen(config)).toBe(true);
    expect(() => (config.allowHosts as string[]).push("evil:1")).toThrow(TypeError);
  });

  test("an empty variable counts as not set", () => {
    expect(parseEnv(homeConfig.and(redisConfig), { PROOFROOM_HOME: "", REDIS_URL: "" })).toEqual({
      home: ".proofroom",
      redis: undefined,
    });
  });

  test("a missing variable is named as missing", () => {
    const error = errorOf(() => parseEnv(z.object({ NEEDED: z.string() }), {}));
    expect(error).toMatchObject({
      variable: "NEEDED",
      message: "NEEDED: must be set",
      code: "invalid_input",
    });
  });

  test.each([
    ["REDIS_URL", redisConfig, "amqp://user:hunter2@host"],
    ["PROOFROOM_STORE", storeConfig, "ftp://hunter2/x"],
    ["S3_ENDPOINT", storeConfig, "hunter2"],
    ["S3_PUBLIC_ENDPOINT", storeConfig, "hunter2"],
    ["S3_ENDPOINT", storeConfig, "https://user:hunter2@s3.example.org"],
    ["S3_FORCE_PATH_STYLE", storeConfig, "hunter2"],
    ["PROOFROOM_ALLOW_HOSTS", networkConfig, "hunter2"],
    ["PROOFROOM_ALLOW_HOSTS", networkConfig, "host:99999"],
    ["PROOFROOM_NO_INSTALL", installConfig, "hunter2"],
    ["LEVEL", z.object({ LEVEL: z.literal("low") }), "hunter2"],
  ])("an unusable %s is named, its value never shown", (variable, schema, value) => {
    const error = errorOf(() => parseEnv(schema, { [variable]: value }));
    expect(error.variable).toBe(variable);
    expect(error.message).toMatch(new RegExp(`^${variable}: `));
    expect(inspect(error)).not.toContain("hunter2");
  });
});

describe("storeConfig", () => {
  test.each([
    ["file:/var/rooms", { kind: "file", folder: "/var/rooms" }],
    ["file:rooms", { kind: "file", folder: "rooms" }],
    ["s3://articles", { kind: "s3", bucket: "articles", prefix: "" }],
    ["s3://articles/team/a/", { kind: "s3", bucket: "articles", prefix: "team/a" }],
  ])("%s", (value, store) => {
    expect(parseEnv(storeConfig, { PROOFROOM_STORE: value }).store).toEqual(store);
  });

  test.each(["file:", "s3://", "s3:///x", "s3://UPPER/x", "/var/rooms"])("%s is refused", (value) => {
    expect(errorOf(() => parseEnv(storeConfig, { PROOFROOM_STORE: value })).variable).toBe("PROOFROOM_STORE");
  });

  test("half a pair of AWS keys is refused, naming the missing half", () => {
    expect(errorOf(() => parseEnv(storeConfig, { AWS_ACCESS_KEY_ID: "a" })).variable).toBe(
      "AWS_SECRET_ACCESS_KEY",
    );
    expect(errorOf(() => parseEnv(storeConfig, { AWS_SECRET_ACCESS_KEY: "a" })).variable).toBe(
      "AWS_ACCESS_KEY_ID",
    );
  });

  test("S3 settings are real values", () => {
    const { s3 } = parseEnv(storeConfig, {
      S3_ENDPOINT: "http://127.0.0.1:9000",
      S3_PUBLIC_ENDPOINT: "https://files.example",
      S3_FORCE_PATH_STYLE: "true",
      AWS_ACCESS_KEY_ID: "id",
      AWS_SECRET_ACCESS_KEY: "hunter2",
    });
    expect(s3).toMatchObject({
      endpoint: "http://127.0.0.1:9000",
      publicEndpoint: "https://files.example",
      forcePathStyle: true,
      accessKeyId: "id",
    });
    expect(s3.secretAccessKey?.reveal()).toBe("hunter2");
  });
});

test("a secret shows itself only when asked", () => {
  const secret = new Secret("hunter2");
  const shown = [
    String(secret),
    JSON.stringify({ secret }),
    inspect({ secret }, { depth: 9, showHidden: true }),
    format("%s %o %j %O", secret, secret, secret, secret),
  ].join("\n");
  expect(shown).not.toContain("hunter2");
  expect(shown).toContain("[redacted]");
  expect(secret.reveal()).toBe("hunter2");
});

test("PROOFROOM_NO_INSTALL=1 forbids installing", () => {
  expect(parseEnv(installConfig, { PROOFROOM_NO_INSTALL: "1" }).allowInstall).toBe(false);
  expect(parseEnv(installConfig, { PROOFROOM_NO_INSTALL: "0" }).allowInstall).toBe(true);
});
