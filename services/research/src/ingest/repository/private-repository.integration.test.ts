import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { type GitServer, git, onlyWith, putFiles, startGitServer } from "@proofroom/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { openParsePool } from "../parsing/parse-pool.ts";
import type { GitHostAccess } from "./git-settings.ts";
import { ingestRepository } from "./ingest-repository.ts";

const token = "canary-3f9a1c77";
const pair = Buffer.from(`oauth2:${token}`).toString("base64");
const authorization = `Basic ${pair}`;

const parsing = openParsePool();
let root: string;
let tempRoot: string;
let server: GitServer;
/** A second host, which nothing is meant for. */
let other: GitServer;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "proofroom-private-"));
  tempRoot = join(root, "temp");
  const work = join(root, "work");
  await putFiles(work, { "README.md": "# Inner\n\nWords that few may read.\n" });
  git(work, "init", "-q", "-b", "main");
  git(work, "add", "-A");
  git(work, "commit", "-q", "-m", "one");
  for (const name of ["private", "stalled", "public"]) {
    git(root, "clone", "-q", "--bare", "work", `served/${name}/r.git`);
  }
  server = await startGitServer(join(root, "served"));
  other = await startGitServer(join(root, "served"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  for (const one of [server, other]) {
    one.requests.length = 0;
    one.rules.clear();
  }
});

afterAll(async () => {
  await parsing.close();
  await Promise.all([server.close(), other.close()]);
  await rm(root, { recursive: true });
});

const tokenFor = (host: string, value = authorization): GitHostAccess => ({
  host,
  setting: "PROOFROOM_GIT_TOKENS",
  authorization: { reveal: () => value },
});

function read(path: string, access: GitHostAccess[] = [tokenFor(server.host)], more: object = {}) {
  return ingestRepository({
    ref: `http://${server.host}/${path}`,
    signal: AbortSignal.timeout(25_000),
    tempRoot,
    parsing,
    network: {
      allowHosts: new Set([server.host, other.host]),
      git: { access },
      now: () => new Date("2025-01-02T03:04:05Z"),
    },
    ...more,
  });
}

async function failureOf(work: Promise<unknown>) {
  const outcome = await work.then(
    () => null,
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(Error);
  expect(inspect(outcome, { depth: 9, showHidden: true })).not.toMatch(new RegExp(`${token}|${pair}`));
  return outcome;
}

/** All that stands in the files of a folder, and their names. */
async function allOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map((entry) => readFile(join(entry.parentPath, entry.name), "latin1"));
  return [...entries.map(({ name }) => name), ...(await Promise.all(texts))].join("\n");
}

/** The command lines of all processes, as Linux shows them. */
async function commandLines(): Promise<string> {
  const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = processes.map((name) => readFile(`/proc/${name}/cmdline`, "latin1").catch(() => ""));
  return (await Promise.all(lines)).join("\n");
}

describe("a private repository", () => {
  test("is read with the token of its host, which stands nowhere in the source", async () => {
    server.rules.set("/private/", onlyWith(authorization));
    const source = await read("private/r.git/blob/main/README.md");
    expect(source.text).toContain("Words that few may read.");
    expect(JSON.stringify(source)).not.toMatch(new RegExp(`${token}|${pair}`));
    expect(source.provenance.final_url).toBe(`http://${server.host}/private/r.git`);
    await expect(read("private/r.git")).resolves.toMatchObject({ title: "private/r" });
  });

  test("while git runs its token is in no file and on no command line", async () => {
    server.rules.set("/stalled/", onlyWith(authorization));
    const abort = new AbortController();
    const running = failureOf(read("stalled/r.git", undefined, { signal: abort.signal }));
    await server.stalled.begun;
    const [folder = ""] = await readdir(tempRoot);
    const written = await allOf(join(tempRoot, folder));
    expect(written).toContain("repositoryformatversion");
    expect(written).not.toMatch(new RegExp(`${token}|${pair}`));
    if (process.platform === "linux") {
      const lines = await commandLines();
      expect(lines).toContain(`${server.host}/stalled/r.git`);
      expect(lines).not.toMatch(new RegExp(`${token}|${pair}`));
    }
    abort.abort(new Error("seen enough"));
    expect(await running).toMatchObject({ message: "seen enough" });
    expect(await readdir(tempRoot)).toEqual([]);
  });

  test("of a repository that everybody may read the token is shown to nobody", async () => {
    await read("public/r.git");
    expect(server.requests.map((request) => request.authorization)).not.toContain(authorization);
  });

  test("the token of a host is shown to no other port or name of it, and to none over plain http that is not this machine's", async () => {
    server.rules.set("/private/", onlyWith(authorization));
    const [, port] = server.host.split(":");
    for (const host of [other.host, `localhost:${port}`, "127.0.0.1"]) {
      expect(await failureOf(read("private/r.git", [tokenFor(host)]))).toMatchObject({ code: "not_found" });
    }
    expect(server.requests.filter((request) => request.authorization !== undefined)).toEqual([]);
  });

  test("a redirect to another host carries no token, whoever is asked first", async () => {
    const elsewhere = { location: `http://${other.host}/public/r.git/info/refs?service=git-upload-pack` };
    server.rules.set("/private/", (request, before) =>
      request.authorization === authorization
        ? { status: 301, headers: elsewhere }
        : onlyWith(authorization)(request, before),
    );
    server.rules.set("/moved/", () => ({ status: 302, headers: elsewhere }));
    const both = [tokenFor(server.host), tokenFor(other.host)];
    await expect(read("private/r.git", both)).resolves.toMatchObject({
      provenance: { final_url: `http://${other.host}/public/r.git` },
    });
    await expect(read("moved/r.git", both)).resolves.toMatchObject({ title: "moved/r" });
    expect(other.requests).not.toEqual([]);
    expect(other.requests.filter((request) => request.authorization !== undefined)).toEqual([]);
  });

  test("git itself follows no redirect, neither when it asks nor when it fetches", async () => {
    const away = (path: string) => ({ status: 307, headers: { location: `http://${other.host}${path}` } });
    server.rules.set("/private/", (request, before) => {
      if (request.authorization !== authorization) return onlyWith(authorization)(request, before);
      const isGit = before.length > 1 || request.method === "POST";
      return isGit ? away(request.path) : null;
    });
    expect(await failureOf(read("private/r.git"))).toMatchObject({ code: "unreachable" });
    expect(other.requests).toEqual([]);
  });

  test("what the machine knows about the host plays no part: no helper, prompt, netrc or settings", async () => {
    const home = join(root, "home");
    const marker = join(root, "asked");
    const askpass = join(home, "askpass.sh");
    await mkdir(home, { recursive: true });
    await writeFile(askpass, `#!/bin/sh\ntouch ${marker}\necho user\n`, { mode: 0o755 });
    await writeFile(join(home, ".netrc"), "default login oauth2 password netrc-word\n", { mode: 0o600 });
    await writeFile(
      join(home, ".gitconfig"),
      `[credential]\n\thelper = "!touch ${marker}; echo username=a; echo password=b"\n[http]\n\textraHeader = "Authorization: Basic b3du"\n`,
    );
    for (const [name, value] of [
      ["HOME", home],
      ["GIT_ASKPASS", askpass],
      ["SSH_ASKPASS", askpass],
      ["GIT_CONFIG_GLOBAL", join(home, ".gitconfig")],
    ] as const) {
      vi.stubEnv(name, value);
    }
    const env = Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? ""]));
    // It is let in when it is asked for, and refused as soon as git comes.
    server.rules.set("/private/", (request, before) =>
      before.length === 0 ? null : onlyWith(authorization)(request, before),
    );
    const refused = read("private/r.git", [], { gitEnvironment: env });
    expect(await failureOf(refused)).toMatchObject({ code: "unreachable" });
    expect(await readdir(root)).not.toContain("asked");
    expect(server.requests.length).toBeGreaterThan(1);
    expect(server.requests.filter((request) => request.authorization !== undefined)).toEqual([]);
  });
});

describe("a host that does not let us in", () => {
  test("is told with the setting to give, where none is set", async () => {
    server.rules.set("/private/", onlyWith(authorization));
    expect(await failureOf(read("private/r.git", []))).toMatchObject({
      code: "not_found",
      disposition: { kind: "fail" },
      remedy: expect.stringContaining("PROOFROOM_GIT_TOKENS (host=token)"),
    });
    const known = { ...tokenFor(server.host), setting: "GITLAB_TOKEN", authorization: undefined };
    expect(await failureOf(read("private/r.git", [known]))).toMatchObject({
      remedy: expect.stringContaining("GITLAB_TOKEN"),
    });
  });

  test.each([
    [401, "not_configured", "does not accept the token in PROOFROOM_GIT_TOKENS"],
    [403, "not_found", "the token in PROOFROOM_GIT_TOKENS may not read it"],
    [404, "not_found", "the token in PROOFROOM_GIT_TOKENS may not read it"],
  ])(
    "and answers %i to its token is a failure that says so, and is not asked again",
    async (status, code, words) => {
      server.rules.set("/private/", () => ({ status }));
      expect(await failureOf(read("private/r.git"))).toMatchObject({
        code,
        message: expect.stringContaining(words),
        disposition: { kind: "fail" },
      });
      expect(server.requests).toHaveLength(2);
    },
  );

  test("a page for logging in is no repository, with or without a token", async () => {
    server.rules.set("/private/", () => ({ status: 302, headers: { location: "/login" } }));
    expect(await failureOf(read("private/r.git", []))).toMatchObject({ code: "not_found" });
    expect(await failureOf(read("private/r.git"))).toMatchObject({ code: "not_configured" });
  });
});

describe("a host that has been asked too much", () => {
  test.each([
    [429, { "retry-after": "30" }, { kind: "retry_after", delayMs: 30_000 }],
    [403, { "retry-after": "45" }, { kind: "retry_after", delayMs: 45_000 }],
    [429, {}, { kind: "retry_after", delayMs: 60_000 }],
    [
      403,
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1735787105" },
      { kind: "retry_after", delayMs: 60_000 },
    ],
    [429, { "retry-after": "7200" }, { kind: "fail" }],
    [503, { "retry-after": "20" }, { kind: "retry_after", delayMs: 20_000 }],
  ])("%i with %j", async (status, headers, disposition) => {
    server.rules.set("/public/", () => ({ status, headers }));
    expect(await failureOf(read("public/r.git"))).toMatchObject({ code: "unreachable", disposition });
  });

  test("is asked with the token, whose limit is its own", async () => {
    server.rules.set("/public/", (request) =>
      request.authorization === authorization ? null : { status: 429 },
    );
    await expect(read("public/r.git")).resolves.toMatchObject({ title: "public/r" });
  });

  test("is left alone too where only git hears of it", async () => {
    server.rules.set("/public/", (request) => (request.method === "POST" ? { status: 429 } : null));
    expect(await failureOf(read("public/r.git"))).toMatchObject({
      code: "unreachable",
      disposition: { kind: "retry_after", delayMs: 60_000 },
    });
    expect(server.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});
