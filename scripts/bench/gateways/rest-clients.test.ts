import { expect, test } from "vitest";
import type { HttpClient, HttpRequest } from "./http-client.ts";
import { playRestClients } from "./rest-clients.ts";

const load = { replicas: ["http://one", "http://two"], clients: 3, seconds: 1, thinkMs: 0, settleMs: 50 };

type Answer = { status: number; body: unknown };

/** A gateway in memory: each job has ended when it is asked for; `answer` replaces what it says. Its clock moves with each question. */
function gateway(answer: (request: HttpRequest, usual: Answer) => Answer = (_request, usual) => usual) {
  const made = { runs: 0, jobs: 0 };
  const asked: HttpRequest[] = [];
  const usualOf = ({ url, method }: HttpRequest): Answer => {
    if (method === "GET") return { status: 200, body: { status: "succeeded" } };
    if (url.includes("/capabilities/")) {
      made.jobs += 1;
      return { status: 202, body: { job_id: `job${made.jobs}` } };
    }
    made.runs += 1;
    return { status: 201, body: { run_id: `run${made.runs}` } };
  };
  const http: HttpClient = {
    async send(request) {
      asked.push(request);
      // As over a network, others have their turn meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
      const { status, body } = answer(request, usualOf(request));
      return { status, text: typeof body === "string" ? body : JSON.stringify(body), ms: 1 };
    },
    close: () => undefined,
  };
  return { asked, play: () => playRestClients(http, load, () => asked.length * 10) };
}

test("clients submit and look at both replicas, and nothing is wrong or lost", async () => {
  const { play, asked } = gateway();
  const report = await play();
  expect(report).toMatchObject({ errors: {}, lost: [] });
  expect(report.accepted).toBe(report.latencies["submit a job"]?.count);
  expect(Object.keys(report.latencies).sort()).toEqual([
    "create a run",
    "look at a job",
    "look at a run",
    "submit a job",
  ]);
  expect(new Set(asked.map(({ url }) => new URL(url).host))).toEqual(new Set(["one", "two"]));
});

test("a job that never ends is lost, and so is one that fails", async () => {
  for (const status of ["running", "failed"]) {
    const { play } = gateway((request, usual) =>
      request.url.endsWith("/jobs/job2") ? { status: 200, body: { status } } : usual,
    );
    expect((await play()).lost).toEqual(["job2"]);
  }
});

test("answers that were not to come are counted by what they are, and the clients go on", async () => {
  const { play } = gateway((request, usual) => {
    if (request.url.endsWith("/jobs/job2")) return { status: 500, body: {} };
    if (request.url.endsWith("/jobs/job4")) return { status: 0, body: "ECONNRESET" };
    return usual;
  });
  const { errors, accepted } = await play();
  expect(errors).toEqual({ "look at a job: 500": 1, "look at a job: ECONNRESET": 1 });
  expect(accepted).toBeGreaterThan(2);
});

test("two calls that are answered with one job are an error", async () => {
  const { play } = gateway((request, usual) =>
    request.url.includes("/capabilities/") ? { status: 202, body: { job_id: "the same" } } : usual,
  );
  const { errors, accepted } = await play();
  expect(accepted).toBe(1);
  expect(errors["a job was answered twice"]).toBeGreaterThan(0);
});
