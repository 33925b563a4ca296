import { expect, it } from "vitest";
import { sha256Of } from "../read.ts";
import { openRunArtifacts } from "../run-artifacts.ts";
import type { ObjectStore } from "../store.ts";
import { expectFailure, keysOf, textOf } from "./bytes.ts";

const bytes = (text: string) => Buffer.from(text, "utf8");

export interface RunArtifactsSuiteOptions {
  /** Names a run of the test's own. */
  nextRun(): string;
  /** Whether the store's conditions hold against writers at the same time. */
  races: boolean;
}

/** What holds of the artifacts of a run, whatever store they lie in. */
export function runArtifactsSuite(store: () => ObjectStore, options: RunArtifactsSuiteOptions): void {
  const { nextRun, races } = options;

  function setup() {
    const runId = nextRun();
    const open = () => openRunArtifacts(store(), runId);
    const key = (name: string) => `runs/${runId}/${name}`;
    /** What a person does with an editor. */
    const edit = async (name: string, text: string) => {
      const info = await store().head(key(name));
      await store().replace(key(name), text, info?.etag ?? "");
    };
    const textAt = async (name: string, n: number) => {
      const artifacts = open();
      return Buffer.from(await artifacts.read(name, await artifacts.version(name, n))).toString("utf8");
    };
    return { artifacts: open(), open, key, edit, textAt };
  }

  it("keeps every version, and shows the newest", async () => {
    const { artifacts, open, key, textAt } = setup();
    const first = await artifacts.write("article.md", bytes("one"), { author: "draft.g1" });
    expect(first).toEqual({ name: "article.md", version: 1, sha256: sha256Of("one"), size: 3 });
    const second = await artifacts.write("article.md", bytes("two"), { author: "refine.g1" });
    expect(second.version).toBe(2);
    expect(await textAt("article.md", 1)).toBe("one");
    expect(await textAt("article.md", 2)).toBe("two");
    expect(await textOf(store(), key("article.md"))).toBe("two");
    expect(await open().latest("article.md")).toMatchObject({ n: 2, author: "refine.g1" });
    const drafted = await open().latest("article.md", ({ author }) => author !== "refine.g1");
    expect(drafted).toMatchObject({ n: 1, author: "draft.g1", size: 3, sha256: sha256Of("one") });
    expect(await open().latest("article.md", () => false)).toBeNull();
    expect(await open().latest("missing.md")).toBeNull();
    await expectFailure(open().version("article.md", 3), "not_found");
  });

  it("adds no version of the content that is the newest already", async () => {
    const { artifacts, open } = setup();
    await artifacts.write("a.json", bytes("{}"), { author: "one.g1" });
    expect((await open().write("a.json", bytes("{}"), { author: "two.g1" })).version).toBe(1);
    await open().write("a.json", bytes("[]"), { author: "two.g1" });
    expect((await artifacts.write("a.json", bytes("{}"), { author: "one.g2" })).version).toBe(3);
  });

  it("sees versions that others have added since it last looked", async () => {
    const { artifacts, open } = setup();
    expect(await artifacts.latest("a.md")).toBeNull();
    for (const n of [1, 2, 3]) {
      await open().write("a.md", bytes(`text ${n}`), { author: "other.g1" });
      expect((await artifacts.latest("a.md"))?.n).toBe(n);
    }
    await open().write("a.md", bytes("text 4"), { author: "other.g1" });
    await open().write("a.md", bytes("text 5"), { author: "other.g1" });
    expect((await artifacts.write("a.md", bytes("text 6"), { author: "mine.g1" })).version).toBe(6);
  });

  it("names the heads of all artifacts and lists the visible ones, never the history", async () => {
    const { artifacts, open } = setup();
    for (const name of ["b.md", ".nova/sections/s 1.md", "a.md"]) {
      await artifacts.write(name, bytes(name), { author: "x.g1" });
    }
    await artifacts.write("a.md", bytes("again"), { author: "x.g2" });
    const heads = await open().heads();
    expect(Object.fromEntries(heads)).toEqual({ "a.md": 2, "b.md": 1, ".nova/sections/s 1.md": 1 });
    const listed = async (prefix: string) => {
      const names: string[] = [];
      for await (const name of open().list(prefix)) names.push(name);
      return names;
    };
    expect(await listed("")).toEqual([".nova/sections/s 1.md", "a.md", "b.md"]);
    expect(await listed(".nova/")).toEqual([".nova/sections/s 1.md"]);
    expect(await listed("a")).toEqual(["a.md"]);
  });

  it("makes a version by the person of what was changed by hand", async () => {
    const { artifacts, open, edit, textAt } = setup();
    await artifacts.write("a.md", bytes("machine"), { author: "x.g1" });
    await artifacts.write("b.md", bytes("untouched"), { author: "x.g1" });
    await edit("a.md", "by hand");
    expect(await open().adoptEdits()).toEqual(["a.md"]);
    expect(await open().latest("a.md")).toMatchObject({ n: 2, author: "person" });
    expect(await textAt("a.md", 2)).toBe("by hand");
    expect(await open().adoptEdits()).toEqual([]);
    expect((await open().heads()).get("b.md")).toBe(1);
  });

  it("keeps an edit that nobody has adopted when a step writes over it", async () => {
    const { artifacts, open, edit, key, textAt } = setup();
    await artifacts.write("a.md", bytes("machine"), { author: "x.g1" });
    await edit("a.md", "by hand");
    expect((await artifacts.write("a.md", bytes("machine again"), { author: "x.g2" })).version).toBe(3);
    expect(await open().version("a.md", 2)).toMatchObject({ author: "person" });
    expect(await textAt("a.md", 2)).toBe("by hand");
    expect(await textOf(store(), key("a.md"))).toBe("machine again");
  });

  it("keeps an edit also when the step writes what was there before it", async () => {
    const { artifacts, edit, key, textAt } = setup();
    await artifacts.write("a.md", bytes("machine"), { author: "x.g1" });
    await edit("a.md", "by hand");
    expect((await artifacts.write("a.md", bytes("machine"), { author: "x.g2" })).version).toBe(3);
    expect(await textAt("a.md", 2)).toBe("by hand");
    expect(await textOf(store(), key("a.md"))).toBe("machine");
  });

  it("keeps a file that was there before the first version", async () => {
    const { artifacts, key, textAt } = setup();
    await store().create(key("notes.md"), "mine");
    expect(Buffer.from((await artifacts.readPlain("notes.md")) ?? []).toString()).toBe("mine");
    expect(await artifacts.adoptEdits()).toEqual([]);
    await artifacts.write("notes.md", bytes("step"), { author: "x.g1" });
    expect(await textAt("notes.md", 1)).toBe("mine");
    expect(await textAt("notes.md", 2)).toBe("step");
  });

  it("repairs a write that was cut before its file was shown, and takes it for no edit", async () => {
    const { artifacts, open, edit, key } = setup();
    await artifacts.write("a.md", bytes("one"), { author: "x.g1" });
    await artifacts.write("a.md", bytes("two"), { author: "x.g2" });
    // The pointer of version 2 stands, the visible file is still that of version 1.
    await edit("a.md", "one");
    expect(await open().adoptEdits()).toEqual([]);
    expect(await textOf(store(), key("a.md"))).toBe("two");
    await store().delete(key("a.md"));
    expect(await open().adoptEdits()).toEqual([]);
    expect(await textOf(store(), key("a.md"))).toBe("two");
    expect((await open().heads()).get("a.md")).toBe(2);
  });

  it("writes a cut write again as the same version", async () => {
    const { artifacts, open, key } = setup();
    await artifacts.write("a.md", bytes("one"), { author: "x.g1" });
    await store().delete(key("a.md"));
    expect((await open().write("a.md", bytes("one"), { author: "x.g1" })).version).toBe(1);
    expect(await textOf(store(), key("a.md"))).toBe("one");
  });

  it("finds out content that is not what was written, and mends it when it is written again", async () => {
    const { artifacts, open, key, edit } = setup();
    await artifacts.write("a.md", bytes("one"), { author: "x.g1" });
    const version = await artifacts.version("a.md", 1);
    const content = `.nova/history/a.md/${version.file}`;
    expect(await keysOf(store(), key(content))).toEqual([key(content)]);
    await edit(content, "0ne");
    await expectFailure(open().read("a.md", version), "conflict");
    await open().write("a.md", bytes("one"), { author: "x.g1" });
    expect(Buffer.from(await open().read("a.md", version)).toString()).toBe("one");
  });

  it("tells a record that cannot be read", async () => {
    const { artifacts, open, edit } = setup();
    await artifacts.write("a.md", bytes("one"), { author: "x.g1" });
    await edit(".nova/history/a.md/000001.json", '{"n": 1, "sha256": ');
    await expectFailure(open().latest("a.md"), "conflict");
  });

  it.each(["../outside.md", "/etc/passwd", "a//b", "", "a\\b"])("refuses the name %j", async (name) => {
    const { artifacts } = setup();
    await expectFailure(artifacts.write(name, bytes("x"), { author: "x.g1" }), "invalid_input");
    await expectFailure(artifacts.latest(name), "invalid_input");
    const plain = async () => artifacts.readPlain(name);
    await expectFailure(plain(), "invalid_input");
  });

  it("stops with the signal", async () => {
    const { artifacts, open } = setup();
    const signal = AbortSignal.abort();
    await expectFailure(artifacts.write("a.md", bytes("x"), { author: "x.g1", signal }), "cancelled");
    expect(await open().latest("a.md")).toBeNull();
  });

  it("writes over the version that was meant, and over no other", async () => {
    const { artifacts, open } = setup();
    const write = (text: string, over: number) =>
      artifacts.write("a.md", bytes(text), { author: "person", over });
    await expectFailure(write("one", 1), "conflict");
    expect((await write("one", 0)).version).toBe(1);
    await expectFailure(write("two", 0), "conflict");
    await open().write("a.md", bytes("two"), { author: "x.g1" });
    await expectFailure(write("three", 1), "conflict");
    expect((await write("three", 2)).version).toBe(3);
  });

  if (races) {
    it("lets one of several who write over the same version at once", async () => {
      const { open } = setup();
      for (const over of [0, 1]) {
        const writers = [1, 2, 3, 4, 5, 6].map((n) =>
          open().write("a.md", bytes(`${over} by ${n}`), { author: "person", over }),
        );
        const ends = await Promise.allSettled(writers);
        expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      }
      expect(await open().latest("a.md")).toMatchObject({ n: 2 });
    });

    it("loses nothing of what several write to one artifact at once, and shows the newest in the end", async () => {
      const { open, key, textAt } = setup();
      const writers = [1, 2, 3, 4, 5, 6];
      const refs = await Promise.all(
        writers.map((n) => open().write("a.md", bytes(`by ${n}`), { author: `w${n}.g1` })),
      );
      expect(refs.map(({ version }) => version).sort()).toEqual(writers);
      const texts = await Promise.all(writers.map((n) => textAt("a.md", n)));
      expect([...texts].sort()).toEqual(writers.map((n) => `by ${n}`));
      expect(await textOf(store(), key("a.md"))).toBe(texts.at(-1));
      expect(await open().adoptEdits()).toEqual([]);
    });
  }
}
