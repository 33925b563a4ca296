import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";

const script = fileURLToPath(new URL("check-image-names.sh", import.meta.url));
let server: Server | undefined;
const asked: string[] = [];

afterEach(() => {
  server?.close();
  server = undefined;
  asked.length = 0;
});

/** A registry that has every image but those whose manifest's address matches. */
async function registry(absent: RegExp): Promise<string> {
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://registry");
    if (pathname === "/token") return response.end('{"token":"t"}');
    asked.push(`${request.method} ${pathname}`);
    return response.writeHead(absent.test(pathname) ? 404 : 200).end();
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function check(url: string): Promise<{ code: number; said: string }> {
  const env = { PATH: process.env["PATH"], REGISTRY_URL: url, REGISTRY_AUTH_URL: url };
  return new Promise((resolve) => {
    execFile(script, { env }, (error, stdout) =>
      resolve({ code: error === null ? 0 : Number(error.code), said: stdout }),
    );
  });
}

test("every image that comes from a registry is asked for, and none that is built here", async () => {
  const { code, said } = await check(await registry(/^$/));
  expect(code, said).toBe(0);
  expect(asked).toContain("HEAD /v2/library/redis/manifests/7-bookworm");
  expect(asked).toContain("HEAD /v2/library/node/manifests/24-bookworm-slim");
  expect(asked).toContain("HEAD /v2/library/golang/manifests/1.26-bookworm");
  expect(asked.filter((path) => /jaeger|otel/.test(path))).toHaveLength(2);
  expect(asked.filter((path) => /proofroom|runtime|worker|modules/.test(path))).toEqual([]);
});

test("one that is not there fails the check, by its name", async () => {
  const { code, said } = await check(await registry(/jaeger/));
  expect(code).toBe(1);
  expect(said).toMatch(/^MISSING {2}jaegertracing\/jaeger:/m);
  expect(said).toMatch(/^there {4}redis:/m);
});

test("without a network it says that it could not look", async () => {
  const { code, said } = await check("http://127.0.0.1:1");
  expect(code).toBe(77);
  expect(said).toContain("SKIPPED");
});
