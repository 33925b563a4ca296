import {
  type Answer,
  connectLegacyHttp,
  connectModernHttp,
  eventually,
  openTestPlace,
  type Peer,
  type TestPlace,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startFakeWorkers } from "../testing/fake-workers.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";
import { allTools } from "../tools/all-tools.ts";
import { toolsetNames } from "../toolsets.ts";
import type { HttpGateway, HttpGatewayOptions } from "./gateway.ts";

let place: TestPlace;

beforeEach(async () => {
  place = await openTestPlace();
});

afterEach(() => place.close());

async function replica(options: Partial<HttpGatewayOptions> = {}): Promise<HttpGateway> {
  const gateway = await startTestGateway(place, options);
  place.closing(() => gateway.close(100));
  return gateway;
}

function workers(options: Omit<Parameters<typeof startFakeWorkers>[0], "root" | "redisUrl"> = {}) {
  const running = startFakeWorkers({ ...place, ...options });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= running.close();
    return closed;
  };
  place.closing(close);
  return { close };
}

const eras = [
  ["legacy", connectLegacyHttp],
  ["2026-07-28", connectModernHttp],
] as const;

function keep(peer: Peer): Peer {
  place.closing(() => peer.close());
  return peer;
}

function textOf(answer: Answer): string {
  return answer.content.map(({ text }) => text ?? "").join("\n");
}

async function newRun(peer: Peer): Promise<string> {
  const made = await peer.call("create_run", {
    topic: "Retrying",
    source_files: [{ path: "notes.md", text: "Retries need a limit.\n" }],
  });
  return String(made.structuredContent?.["run_id"]);
}

describe.each(eras)("a client of the %s era", (_era, connect) => {
  it("gets a result inline, with ids and links in the text and in the structured part", async () => {
    workers();
    const peer = keep(await connect((await replica()).url));
    const run_id = await newRun(peer);
    const updates: { progress: number; message?: string }[] = [];
    const answer = await peer.call("verify_citations", { run_id }, { onprogress: (at) => updates.push(at) });
    const told = updates.length;
    expect(answer.isError).toBeFalsy();
    expect(answer.structuredContent).toMatchObject({ run_id, status: "succeeded", output: { cited: 1 } });
    const uri = `run://${run_id}/.nova/citations.json`;
    expect(answer.content).toContainEqual(expect.objectContaining({ type: "resource_link", uri }));
    expect(textOf(answer)).toContain(uri);
    expect(textOf(answer)).toContain(String(answer.structuredContent?.["job_id"]));
    expect(await peer.read(uri)).toBe("{}");
    expect(updates[0]?.message).toContain(String(answer.structuredContent?.["job_id"]));
    expect(updates.map(({ progress }) => progress)).toEqual(updates.map((_, at) => at + 1));
    expect(updates).toHaveLength(told);
  });

  it("gets a handle of work that takes longer, the same job for the same call, and its result by job_wait", async () => {
    const gate = Promise.withResolvers<void>();
    workers({
      handlers: {
        read_research_summary: async () => {
          await gate.promise;
          return { title: "t", sections: [], sources: [], failures: 0, words: 0 };
        },
      },
    });
    const peer = keep(await connect((await replica({ inlineMs: 300 })).url));
    const run_id = await newRun(peer);
    const first = await peer.call("read_research_summary", { run_id });
    const { job_id } = first.structuredContent ?? {};
    expect(["queued", "running"]).toContain(first.structuredContent?.["status"]);
    expect(textOf(first)).toContain(`job_id: ${job_id}`);
    expect((await peer.call("read_research_summary", { run_id })).structuredContent).toMatchObject({
      job_id,
    });
    gate.resolve();
    const done = await peer.call("job_wait", { job_id });
    expect(done.structuredContent).toMatchObject({ job_id, status: "succeeded", output: { title: "t" } });
    expect((await peer.call("job_get", { job_id })).structuredContent).toMatchObject({ status: "succeeded" });
    const forced = await peer.call("read_research_summary", { run_id, force: true });
    expect(forced.structuredContent?.["job_id"]).not.toBe(job_id);
  });

  it("is told every error whole in the text, and none ends the connection", async () => {
    workers();
    const peer = keep(await connect((await replica()).url));
    const run_id = await newRun(peer);
    const cases: [string, Record<string, unknown>, string][] = [
      ["verify_citations", { run_id, rond: 1 }, "invalid_input"],
      ["verify_citations", { run_id, round: "1" }, "invalid_input"],
      ["verify_citations", { run_id: `run_${"0".repeat(26)}` }, "not_found"],
      ["verify_citations", { run_id: "../../etc" }, "invalid_input"],
      ["job_get", { job_id: "../../etc/passwd" }, "not_found"],
      ["job_wait", { job_id: `${run_id}-verify_citations-g9999`, timeout_ms: 0 }, "not_found"],
      ["job_wait", { job_id: `${run_id}-verify_citations-g1`, timeout_ms: 50_001 }, "invalid_input"],
      ["read_artifact", { run_id, artifact: "../run.json" }, "invalid_input"],
      ["read_artifact", { run_id, artifact: "nothing.md" }, "not_found"],
      ["put_artifact", { run_id, kind: "section", section_id: "../x", text: "t" }, "invalid_input"],
      ["put_artifact", { run_id, kind: "article", text: "t", expected_version: 4 }, "conflict"],
      ["create_run", { topic: "t" }, "invalid_input"],
      ["create_run", { topic: "t", source_files: [{ path: "../x", text: "" }] }, "invalid_input"],
      ["run_perplexity_research", { run_id, queries: ["q"] }, "not_configured"],
    ];
    await peer.call("verify_citations", { run_id });
    for (const [name, args, code] of cases) {
      const answer = await peer.call(name, args);
      expect([name, answer.isError, textOf(answer)]).toEqual([name, true, expect.stringContaining(code)]);
    }
    await expect(peer.read(`run://${run_id}/../../etc/passwd`)).rejects.toThrow();
    expect(await peer.tools()).toHaveLength(33);
  });
});

describe("two replicas behind a balancer without affinity", () => {
  it.each(eras)("carry the calls of a %s client, also when one dies between", async (_era, connect) => {
    workers();
    const replicas = [await replica({ inlineMs: 0 }), await replica({ inlineMs: 0 })];
    const seen: number[] = [];
    let turn = 0;
    const balanced: typeof fetch = async (_input, init) => {
      turn += 1;
      const target = replicas[turn % replicas.length];
      const response = await fetch(target?.url ?? "", init);
      if (init?.method === "POST") seen.push(response.status);
      return response;
    };
    const peer = keep(await connect(replicas[0]?.url ?? "", balanced));
    const run_id = await newRun(peer);
    const { job_id } = (await peer.call("verify_citations", { run_id })).structuredContent ?? {};
    await replicas.pop()?.close(0);
    const done = await peer.call("job_wait", { job_id });
    expect(done.structuredContent).toMatchObject({ status: "succeeded" });
    expect(seen.every((status) => status < 300)).toBe(true);
  });
});

describe("a client that hangs up", () => {
  it.each(eras)("never cancels the work (%s)", async (_era, connect) => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    workers({
      handlers: {
        read_research_summary: async () => {
          begun.resolve();
          await gate.promise;
          return { title: "t", sections: [], sources: [], failures: 0, words: 0 };
        },
      },
    });
    const { url } = await replica();
    const peer = keep(await connect(url));
    const run_id = await newRun(peer);
    const hangUp = new AbortController();
    const call = peer.call("read_research_summary", { run_id }, { signal: hangUp.signal });
    await begun.promise;
    hangUp.abort();
    await expect(call).rejects.toThrow();
    gate.resolve();
    const jobs = await peer.call("job_list", { run_id });
    const [job] = (jobs.structuredContent?.["jobs"] ?? []) as { job_id: string }[];
    expect((await peer.call("job_wait", { job_id: job?.job_id })).structuredContent).toMatchObject({
      status: "succeeded",
    });
  });
});

describe("without Redis", () => {
  it("a call is an error and never a handle, and reading goes on", async () => {
    const peer = keep(await connectModernHttp((await replica()).url));
    const run_id = await newRun(peer);
    await place.redis.kill();
    const answer = await peer.call("verify_citations", { run_id });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain("dependency_down");
    expect(textOf(answer)).not.toContain("job_id");
    expect(await peer.read(`run://${run_id}/article_guideline.md`)).toContain("# Retrying");
    await place.redis.restart();
    workers();
    await eventually(async () => (await peer.call("verify_citations", { run_id })).isError !== true);
  });
});

it.each([
  ["legacy", connectLegacyHttp],
  ["modern", connectModernHttp],
])(
  "in the %s era each request is offered the toolsets that it asked for, and no others",
  async (_era, connect) => {
    const { url } = await replica();
    const [critic, runs, all] = await Promise.all(
      ["?tools=critic", "?tools=runs", ""].map(async (query) =>
        keep(await connect(`${url}${query}`)).tools(),
      ),
    );
    expect(critic).toEqual([
      "critic_evaluate_article",
      "verify_citations",
      "job_get",
      "job_wait",
      "job_cancel",
      "job_list",
    ]);
    expect(runs).toContain("create_run");
    expect(runs).not.toContain("job_get");
    expect(all).toHaveLength(allTools(new Set(toolsetNames)).length);
  },
);
