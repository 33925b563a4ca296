import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { assembleModules, assembleSource } from "./assemble.ts";
import { findWorkspaces, workspaceClosure } from "./workspaces.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "proofroom-assemble-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, content: unknown = ""): void {
  const file = join(root, "checkout", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

function filesBelow(folder: string): string[] {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      // What lies behind a link is counted where it is.
      .filter((entry) => !entry.isDirectory() && !entry.parentPath.includes("@proofroom/"))
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .sort()
  );
}

/** Two services, one shared package, and what npm would have installed for all of them. */
function writeCheckout(): void {
  write("package.json", { name: "root", type: "module" });
  write("shared/base/package.json", { name: "@proofroom/base", dependencies: { pinned: "1" } });
  write("shared/base/src/index.ts");
  write("shared/other/package.json", { name: "@proofroom/other", dependencies: { unneeded: "1" } });
  write("services/one/package.json", {
    name: "@proofroom/one",
    dependencies: { "@proofroom/base": "1", pinned: "2", native: "1" },
    devDependencies: { unneeded: "1" },
  });
  write("services/one/src/main.ts");
  write("services/one/src/main.test.ts");
  write("services/one/src/testing/help.ts");
  write("services/one/src/prompts/ask.md");
  write("infra/models.yaml");
  // Hoisted for one, nested for the other.
  write("node_modules/pinned/package.json", { name: "pinned", version: "2.0.0" });
  write("node_modules/pinned/index.js");
  write("node_modules/pinned/index.d.ts");
  write("node_modules/pinned/index.js.map");
  write("shared/base/node_modules/pinned/package.json", { name: "pinned", version: "1.0.0" });
  write("node_modules/native/package.json", {
    name: "native",
    optionalDependencies: { "native-linux": "1", "native-windows": "1" },
    peerDependencies: { peer: "1", extra: "1" },
    peerDependenciesMeta: { extra: { optional: true } },
  });
  for (const name of ["native-linux", "peer", "extra", "unneeded"])
    write(`node_modules/${name}/package.json`, { name });
}

const assembly = () => ({
  checkout: join(root, "checkout"),
  packages: ["@proofroom/one"],
  into: join(root, "image"),
});

test("an image holds what its own packages need where they run, each at its place, and nothing else", () => {
  writeCheckout();
  assembleModules(assembly());
  assembleSource(assembly(), ["infra"]);
  expect(filesBelow(join(root, "image"))).toEqual([
    "infra/models.yaml",
    "node_modules/@proofroom/base",
    "node_modules/@proofroom/one",
    "node_modules/native-linux/package.json",
    "node_modules/native/package.json",
    "node_modules/peer/package.json",
    "node_modules/pinned/index.js",
    "node_modules/pinned/package.json",
    "package.json",
    "services/one/package.json",
    "services/one/src/main.ts",
    "services/one/src/prompts/ask.md",
    "shared/base/node_modules/pinned/package.json",
    "shared/base/package.json",
    "shared/base/src/index.ts",
  ]);
  expect(existsSync(join(root, "image/node_modules/@proofroom/base/src/index.ts"))).toBe(true);
});

test("a dependency that is not installed, and a package that is not there, are told of", () => {
  writeCheckout();
  rmSync(join(root, "checkout/node_modules/pinned"), { recursive: true });
  expect(() => assembleModules(assembly())).toThrow("pinned, which @proofroom/one needs, is not installed.");
  expect(() => assembleModules({ ...assembly(), packages: ["@proofroom/none"] })).toThrow("@proofroom/none");
});

test("no image of a service holds another service", () => {
  const workspaces = findWorkspaces(fileURLToPath(new URL("../..", import.meta.url)));
  const services = [...workspaces.values()].filter(({ folder }) => folder.startsWith("services/"));
  for (const { folder, manifest } of services) {
    if (folder === "services/cli") continue;
    const closure = workspaceClosure(workspaces, [manifest.name]).map((needed) => needed.folder);
    expect(closure.filter((needed) => needed.startsWith("services/"))).toEqual([folder]);
    expect(closure).not.toContain("shared/testing");
  }
});
