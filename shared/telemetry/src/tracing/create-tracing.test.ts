import { beforeEach, describe, expect, it } from "vitest";
import { createTracing } from "./create-tracing.ts";
import type { SpanRecord } from "./span-record.ts";
import type { Tracing } from "./tracing.ts";

const run = "run_01ARZ3NDEKTSV4RRFFQ69G5FAV";
/** A span of another process. */
const elsewhere = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
let spans: SpanRecord[];
let composed: string[];
let tracing: Tracing;

async function create(
  changes: { captureContent?: boolean; add?: () => Promise<void>; troubles?: unknown[] } = {},
) {
  return createTracing({
    serviceName: "test",
    version: "1",
    destinations: [],
    captureContent: changes.captureContent ?? false,
    secrets: ["the-secret-value"],
    onTrouble: (where, error) => void changes.troubles?.push([where, error]),
    runs: {
      add: changes.add ?? (async (_run, some) => void spans.push(...some)),
      compose: async (runId) => void composed.push(runId),
    },
  });
}

beforeEach(async () => {
  spans = [];
  composed = [];
  tracing = await create();
});

const find = (name: string) => spans.find((span) => span.name === name);
const ids = { run };

describe("tracing", () => {
  it("keeps nothing of a piece of work before it has ended: no span is ever there without its parent", async () => {
    const outer = tracing.open({ name: "outer", ids });
    await outer.run(() => tracing.span({ name: "inner" }, async () => undefined));
    const other = tracing.open({ name: "other", ids });
    other.end();
    await expect.poll(() => spans.length).toBeGreaterThan(0);
    expect(spans.map(({ name }) => name)).toEqual(["other"]);
    outer.end();
    await tracing.close();
    expect(find("inner")?.parent_id).toBe(find("outer")?.span_id);
  });

  it("does not make more spans in one piece of work than can be looked at, and leaves none without its parent", async () => {
    await tracing.span({ name: "outer", ids }, async () => {
      for (let at = 0; at < 1_500; at += 1)
        await tracing.span({ name: "inner" }, () =>
          tracing.span({ name: "innermost" }, async () => undefined),
        );
    });
    await tracing.close();
    expect(spans.length).toBeLessThanOrEqual(1_000);
    const known = new Set(spans.map(({ span_id }) => span_id));
    expect(spans.filter(({ parent_id }) => parent_id !== undefined && !known.has(parent_id))).toEqual([]);
  });

  it("goes on with a trace of another process, from its root, under whatever is at work there", async () => {
    let root = "";
    await tracing.span({ name: "request", kind: "server", ids }, async (span) => {
      root = span.traceparent;
    });
    await tracing.within(root, ids, () =>
      tracing.span({ name: "sweep", kind: "producer" }, async () => undefined),
    );
    await tracing.span({ name: "job", kind: "consumer", parent: root, ids }, () =>
      tracing.within(root, ids, () =>
        tracing.span({ name: "send", kind: "producer" }, async () => {
          expect(tracing.carried()?.trace_root).toBe(root.split("-")[2]);
        }),
      ),
    );
    await tracing.close();
    expect(new Set(spans.map(({ trace_id }) => trace_id)).size).toBe(1);
    expect(find("sweep")?.parent_id).toBe(find("request")?.span_id);
    expect(find("send")?.parent_id).toBe(find("job")?.span_id);
  });

  it("keeps with the run what its client does not want sent to backends, and says so on", async () => {
    const unwanted = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";
    await tracing.span({ name: "request", kind: "server", parent: unwanted, ids }, async (span) => {
      expect(span.traceparent).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-00$/);
    });
    await tracing.close();
    expect(find("request")?.parent_id).toBe("00f067aa0ba902b7");
  });

  it("tells a failure by its code or its class, never by its message, and passes it on", async () => {
    const error = Object.assign(new Error("the-secret-value"), { code: "timeout" });
    await expect(tracing.span({ name: "one", ids }, () => Promise.reject(error))).rejects.toBe(error);
    await expect(
      tracing.span({ name: "two", ids }, () => Promise.reject(new TypeError("x"))),
    ).rejects.toThrow(TypeError);
    await tracing.close();
    expect(find("one")).toMatchObject({ failed: true, attributes: { "error.type": "timeout" } });
    expect(find("two")?.attributes["error.type"]).toBe("TypeError");
    expect(JSON.stringify(spans)).not.toContain("secret");
  });

  it("does not call a failure what comes back at its time", async () => {
    const later = Object.assign(new Error("later"), { code: "quota", disposition: { kind: "wait" } });
    await expect(tracing.span({ name: "one", ids }, () => Promise.reject(later))).rejects.toBe(later);
    await tracing.close();
    expect(find("one")).toMatchObject({ failed: false, attributes: { "proofroom.disposition": "wait" } });
  });

  it("asks for content only where it is captured, cuts it, and lets no secret into any attribute", async () => {
    const asked: string[] = [];
    const work = (of: Tracing) =>
      of.span({ name: "work", ids, attributes: { own: "x the-secret-value" } }, async (span) => {
        span.content("text", () => {
          asked.push("asked");
          return `the-secret-value ${"a".repeat(100_000)}`;
        });
      });
    await work(tracing);
    await tracing.close();
    expect(asked).toEqual([]);
    expect(find("work")?.attributes).toEqual({ "proofroom.run.id": run, own: "x [redacted]" });
    spans = [];
    const capturing = await create({ captureContent: true });
    await work(capturing);
    await capturing.close();
    const text = String(find("work")?.attributes["text"]);
    expect(text).toMatch(/^\[redacted\] a+…$/);
    expect(text.length).toBeLessThan(20_000);
  });

  it("puts the trace of a run together once the work that ended it has ended", async () => {
    await tracing.span({ name: "advance", ids }, async () => {
      tracing.ended(run);
      tracing.open({ name: "other", ids, parent: elsewhere }).end();
      await expect.poll(() => spans.length).toBe(1);
      expect(composed).toEqual([]);
    });
    await tracing.close();
    expect(composed).toEqual([run]);
  });

  it("names the work at hand, for the log", async () => {
    expect(tracing.ids()).toEqual({});
    await tracing.span({ name: "job", ids: { run, job: "j" } }, async (span) => {
      expect(tracing.ids()).toEqual({ run, job: "j", trace: span.traceparent.split("-")[1] });
    });
  });

  it("disturbs nobody where nothing can be kept, and says so once", async () => {
    const troubles: unknown[] = [];
    const full = new Error("disk full");
    let tried = 0;
    const add = async () => {
      tried += 1;
      throw full;
    };
    const broken = await create({ add, troubles });
    for (let time = 1; time <= 3; time += 1) {
      await broken.span({ name: "work", ids }, async () => undefined);
      await expect.poll(() => tried).toBe(time);
    }
    await broken.close();
    expect(troubles).toEqual([["run", full]]);
  });
});
