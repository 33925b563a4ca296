import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseEnv, workersConfig } from "../../shared/config/src/index.ts";
import { findWorkspaces } from "../containers-assemble/workspaces.ts";
import { checkout } from "./compose.ts";

const read = (file: string) => readFileSync(join(checkout, file), "utf8");
const dockerfile = read("Dockerfile");
const composeFile = read("docker-compose.yml");
const workspaces = [...findWorkspaces(checkout).values()];
const services = workspaces
  .map(({ folder }) => folder)
  .filter((folder) => folder.startsWith("services/") && folder !== "services/cli")
  .map((folder) => folder.slice("services/".length))
  .sort();

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found).sort();

describe("the files that containers are made of", () => {
  test("npm ci in the image sees the declarations of every package of ours", () => {
    expect(all(dockerfile, /^COPY (\S+)\/package\.json \1\/$/gm)).toEqual(
      workspaces.map(({ folder }) => folder).sort(),
    );
  });

  test("every service has an image, is started by its main.ts, and is in the stack", () => {
    expect(all(dockerfile, /^CMD \["services\/([a-z-]+)\/src\/main\.ts"\]$/gm)).toEqual(services);
    for (const service of services) {
      expect(dockerfile).toMatch(new RegExp(`^FROM (?:worker|runtime) AS ${service}$`, "m"));
      expect(composeFile).toMatch(
        new RegExp(`^  ${service}:\\n(?:    .*\\n)*?    build: .*target: ${service} `, "m"),
      );
    }
  });

  test("a worker has longer to end than it may take", () => {
    const seconds = /^x-worker:[\s\S]*?stop_grace_period: (\d+)s/m.exec(composeFile)?.[1];
    expect(Number(seconds) * 1_000).toBeGreaterThan(parseEnv(workersConfig, {}).graceMs);
  });

  test("nothing is published beyond this machine, and no secret is written down", () => {
    const published = all(composeFile, /ports: \["([^"]+)"\]/g);
    expect(published).toHaveLength(3);
    for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(all(composeFile, /^\s+(\w*(?:KEY|KEYS|TOKEN|SECRET|PASSWORD)): *\S/gm)).toEqual([]);
  });
});
