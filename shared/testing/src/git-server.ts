import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";

const environment = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.org",
  GIT_AUTHOR_DATE: "2024-01-01T00:00:00Z",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.org",
  GIT_COMMITTER_DATE: "2024-01-01T00:00:00Z",
};

/** Runs git in a folder with a fixed author and date, so that commits have the same hashes everywhere. */
export function git(folder: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: folder, env: environment, encoding: "utf8" }).trim();
}

/** Writes files, and the folders that they need. */
export async function putFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

interface SeenRequest {
  method: string;
  path: string;
  authorization: string | undefined;
}

interface Reply {
  status: number;
  headers?: Readonly<Record<string, string>>;
}

/** What is answered in place of the repository, if ever; null for the repository. */
type Rule = (request: SeenRequest, before: readonly SeenRequest[]) => Reply | "never" | null;

/** Lets in those who show this, and nobody else. */
export function onlyWith(authorization: string): Rule {
  return (request) =>
    request.authorization === authorization
      ? null
      : { status: 401, headers: { "www-authenticate": 'Basic realm="git"' } };
}

export interface GitServer {
  /** `127.0.0.1:port`. */
  host: string;
  /** All requests, in their order. */
  requests: SeenRequest[];
  /** Bytes of repositories that were sent. */
  sent: number;
  /** By the beginning of the path. */
  rules: Map<string, Rule>;
  /** Paths that are redirected, as they were asked for, and where to. */
  redirects: Map<string, string>;
  /** Resolves when a request to post below `/stalled/` that never gets an answer has come in, and then when it is given up. */
  stalled: { begun: Promise<void>; ended: Promise<void> };
  close(): Promise<void>;
}

/** Serves the bare repositories of a folder by smart http on loopback. */
export async function startGitServer(root: string): Promise<GitServer> {
  const redirects = new Map<string, string>();
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const requests: SeenRequest[] = [];
  const rules = new Map<string, Rule>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://x");
    const seen = {
      method: request.method ?? "",
      path: pathname,
      authorization: request.headers.authorization,
    };
    const rule = [...rules].find(([beginning]) => pathname.startsWith(beginning))?.[1];
    const reply =
      rule?.(
        seen,
        requests.filter(({ path }) => path === pathname),
      ) ?? null;
    requests.push(seen);
    if (reply === "never") return;
    if (reply !== null) {
      response.writeHead(reply.status, reply.headers).end();
      return;
    }
    if (pathname.startsWith("/endless/")) {
      Readable.from(endlessRefs())
        .on("error", () => {})
        .pipe(response);
      response.once("close", () => response.destroy());
      return;
    }
    if (request.method === "POST" && request.url?.startsWith("/stalled/")) {
      response.once("close", ended.resolve);
      begun.resolve();
      return;
    }
    const target = redirects.get(pathname);
    if (target === undefined) serve(root, request, response, (bytes) => (running.sent += bytes));
    else response.writeHead(302, { location: target }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const running: GitServer = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: 0,
    requests,
    rules,
    redirects,
    stalled: { begun: begun.promise, ended: ended.promise },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return running;
}

/** An advertisement as protocol 0 has it, without its end. */
async function* endlessRefs(): AsyncGenerator<string> {
  const hash = "0".repeat(39);
  yield `001e# service=git-upload-pack\n0000`;
  const first = `${hash}1 HEAD\0agent=git/2.39.5\n`;
  yield `${(first.length + 4).toString(16).padStart(4, "0")}${first}`;
  for (let count = 0; ; count += 1) {
    const lines = Array.from({ length: 1_000 }, (_, index) => {
      const line = `${hash}1 refs/heads/${String(count * 1_000 + index).padStart(12, "0")}\n`;
      return `${(line.length + 4).toString(16).padStart(4, "0")}${line}`;
    });
    yield lines.join("");
  }
}

function serve(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
  count: (bytes: number) => void,
): void {
  const url = new URL(request.url ?? "/", "http://x");
  const backend = spawn("git", ["http-backend"], {
    env: {
      ...environment,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? "GET",
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: request.headers["git-protocol"]?.toString() ?? "",
      REMOTE_ADDR: "127.0.0.1",
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  request.pipe(backend.stdin);
  backend.stdin.on("error", () => {});
  const chunks: Buffer[] = [];
  backend.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  backend.on("close", () => {
    const reply = Buffer.concat(chunks);
    count(reply.length);
    const end = reply.indexOf("\r\n\r\n");
    const headers = reply
      .subarray(0, end)
      .toString()
      .split("\r\n")
      .map((line) => line.split(/: (.*)/s));
    const status = headers.find(([name]) => name === "Status")?.[1] ?? "200";
    for (const [name = "", value = ""] of headers) if (name !== "Status") response.setHeader(name, value);
    response.writeHead(Number.parseInt(status, 10)).end(reply.subarray(end + 4));
  });
}
