import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { copyUploads } from "./copy-uploads.ts";

let folder: TempFolder;
let store: ObjectStore;

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: at("store") });
  await mkdir(at("work"));
});

afterEach(() => folder.close());

const at = (path: string) => join(folder.path, path);

function git(cwd: string, ...args: string[]): string {
  const who = ["-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...who, ...args], { cwd, encoding: "utf8" }).trim();
}

async function makeRepository(path: string, file: string): Promise<string> {
  await mkdir(path, { recursive: true });
  await writeFile(join(path, file), "text\n");
  git(path, "init", "--quiet");
  git(path, "add", "--all");
  git(path, "commit", "--quiet", "--message", "one");
  return git(path, "rev-parse", "HEAD");
}

async function copied(path: string, at_: ObjectStore = store) {
  const options = { store: at_, base: "runs/r/", signal: AbortSignal.timeout(20_000) };
  const { entries } = await copyUploads(options, [{ path, disk: at(`work/${path}`), within: at("work") }]);
  return entries[0];
}

describe("a local git repository", () => {
  it("is cloned with its commit where it lies in its folder whole", async () => {
    const commit = await makeRepository(at("work/own"), "own.md");
    expect(await copied("own/")).toEqual({
      path: "own/",
      kind: "repository",
      commit,
      files: ["own/own.md"],
    });
  });

  it.each([
    [
      "a .git file",
      async (work: string, secret: string) => {
        await writeFile(join(work, ".git"), `gitdir: ${secret}/.git\n`);
      },
    ],
    ["a link", (work: string, secret: string) => symlink(join(secret, ".git"), join(work, ".git"))],
    [
      "a shared folder",
      async (work: string, secret: string) => {
        git(work, "init", "--quiet");
        await writeFile(join(work, ".git/commondir"), `${secret}/.git\n`);
      },
    ],
    [
      "borrowed objects",
      async (work: string, secret: string, commit: string) => {
        git(work, "init", "--quiet");
        await writeFile(join(work, ".git/objects/info/alternates"), `${secret}/.git/objects\n`);
        await writeFile(join(work, ".git/refs/heads/main"), `${commit}\n`);
      },
    ],
    [
      "links in it",
      async (work: string, secret: string) => {
        git(work, "init", "--quiet");
        for (const name of ["objects", "refs"]) {
          await rm(join(work, ".git", name), { recursive: true });
          await symlink(join(secret, ".git", name), join(work, ".git", name));
        }
      },
    ],
  ])("that leads to another by %s never gives that one's files", async (_how, plant) => {
    const commit = await makeRepository(at("secret"), "secret.md");
    await mkdir(at("work/trap"));
    await writeFile(at("work/trap/own.md"), "own\n");
    await plant(at("work/trap"), at("secret"), commit);
    expect(await copied("trap/")).toEqual({ path: "trap/", kind: "folder", files: ["trap/own.md"] });
  });
});

describe("a folder", () => {
  it("gives the rest where a name is no text or a path is too long", async () => {
    await mkdir(at("work/f"));
    await writeFile(at("work/f/ok.md"), "ok\n");
    await writeFile(Buffer.concat([Buffer.from(at("work/f/bad")), Buffer.of(0xff), Buffer.from(".md")]), "x");
    await mkdir(Buffer.concat([Buffer.from(at("work/f/dir")), Buffer.of(0xff)]));
    const nest =
      "import os,sys\nos.chdir(sys.argv[1])\nfor i in range(900):\n os.mkdir('dddd'); os.chdir('dddd')";
    execFileSync("python3", ["-c", nest, at("work/f")]);
    const entry = await copied("f/");
    // Node cannot remove what lies so deep.
    execFileSync("rm", ["-rf", at("work/f")]);
    expect(entry).toMatchObject({ kind: "folder", files: ["f/ok.md"], skipped: 3 });
  });

  it("gives the rest where a file vanishes, or becomes a pipe or a link, while it is copied", async () => {
    await mkdir(at("work/f"));
    for (const name of ["a", "b", "c", "d", "e"]) await writeFile(at(`work/f/${name}.md`), `${name}\n`);
    const changing: ObjectStore = {
      ...store,
      async create(key, body, options) {
        if (key.endsWith("/a.md")) {
          for (const name of ["b", "c", "d"]) await rm(at(`work/f/${name}.md`));
          execFileSync("mkfifo", [at("work/f/c.md")]);
          await symlink("/etc/hostname", at("work/f/d.md"));
        }
        return store.create(key, body, options);
      },
    };
    expect(await copied("f/", changing)).toMatchObject({ files: ["f/a.md", "f/e.md"], skipped: 3 });
    expect(await readFile(at("store/runs/r/.nova/uploads/f/e.md"), "utf8")).toBe("e\n");
  });
});
