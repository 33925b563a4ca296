import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Secret } from "@proofroom/config";
import { ProofroomError, type RunBudget, type RunOptions } from "@proofroom/contracts";
import type { z } from "zod";
import type { CommandContext } from "../commands/context.ts";
import { readEventStream, type StreamMessage } from "./event-stream.ts";
import { refusedBy } from "./problem.ts";
import { type RemoteRun, type RemoteSummary, remotePageSchema, remoteRunSchema } from "./remote-run.ts";

interface NewRemoteRun {
  guideline: string;
  title: string;
  options: Partial<RunOptions>;
}

/** The REST gateway, as far as the command line asks it. Every method throws what the gateway refused as the error it stands for. */
export interface GatewayClient {
  /** The gateway's address, as people know it. */
  readonly url: string;
  /** Creates a run without starting it. */
  createRun(run: NewRemoteRun): Promise<RemoteRun>;
  upload(runId: string, path: string, bytes: Uint8Array): Promise<void>;
  resume(runId: string, budget: RunBudget): Promise<RemoteRun>;
  cancel(runId: string): Promise<RemoteRun>;
  run(runId: string): Promise<RemoteRun>;
  /** Every run, newest first. */
  runs(): Promise<RemoteSummary[]>;
  /** Cancels a run where it moves, and deletes it. */
  remove(runId: string): Promise<void>;
  /** The newest version of an artifact; null where there is none. */
  artifact(runId: string, name: string): Promise<Uint8Array | null>;
  /** What happens after an event, until the connection or the run ends; null where nothing follows any more. */
  events(runId: string, after: string | null): Promise<AsyncIterable<StreamMessage> | null>;
}

/** So many runs are asked for at a time: what a gateway answers at the most. */
const pageSize = 100;

/** How often a gateway that asks for patience, or cannot be reached, is asked again, and how long between; milliseconds. */
const attempts = 6;
const longestWait = 10_000;
const shortestWait = 500;

/** Asks the gateway at an address, with its key where there is one. */
export function createGatewayClient(options: {
  address: URL;
  apiKey: Secret | undefined;
  signal: AbortSignal;
}): GatewayClient {
  const { address, apiKey, signal } = options;
  const url = address.href.replace(/\/+$/, "");
  const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey.reveal()}` };

  async function once(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${url}${path}`, {
        ...init,
        headers: { ...authorization, ...init.headers },
        // A key is for the gateway that was named, and for no other.
        redirect: "error",
        signal,
      });
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      throw new ProofroomError({
        code: "dependency_down",
        message: `The gateway at ${url} cannot be reached.`,
        remedy: "Check the address that --remote names, and that the gateway runs.",
        cause,
      });
    }
  }

  /** Asks again where the gateway says that it will be better later; what is sent can be sent twice. */
  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await once(path, init);
      const later = response.status === 429 || response.status === 503;
      if (!later || attempt === attempts) return response;
      await response.body?.cancel();
      const seconds = Number(response.headers.get("retry-after") ?? "1");
      await pause(Math.min(Math.max(seconds * 1_000, shortestWait), longestWait), undefined, { signal });
    }
  }

  async function refusal(response: Response): Promise<ProofroomError> {
    return refusedBy(url, response.status, await response.json().catch(() => null));
  }

  async function askFor<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    init: RequestInit = {},
  ): Promise<z.output<Schema>> {
    const response = await ask(path, init);
    if (!response.ok) throw await refusal(response);
    const parsed = schema.safeParse(await response.json().catch(() => null));
    if (!parsed.success) throw refusedBy(url, response.status, null);
    return parsed.data;
  }

  const askForRun = (path: string, init?: RequestInit) => askFor(remoteRunSchema, path, init);

  const json = (body: unknown): RequestInit => ({
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const ofRun = (runId: string, rest = "") => `/v1/runs/${runId}${rest}`;

  return {
    url,
    async createRun(run) {
      const request = json({ ...run, start: false });
      // Asked twice, it is one run all the same.
      return askForRun("/v1/runs", {
        ...request,
        headers: { ...request.headers, "idempotency-key": randomUUID() },
      });
    },
    async upload(runId, path, bytes) {
      const response = await ask(ofRun(runId, `/uploads?path=${encodeURIComponent(path)}`), {
        method: "POST",
        headers: { "content-type": "application/octet-stream" },
        body: bytes as Uint8Array<ArrayBuffer>,
      });
      if (!response.ok) throw await refusal(response);
      await response.body?.cancel();
    },
    resume: (runId, budget) => askForRun(ofRun(runId, "/resume"), json(budget)),
    cancel: (runId) => askForRun(ofRun(runId, "/cancel"), { method: "POST" }),
    run: (runId) => askForRun(ofRun(runId)),
    async runs() {
      const all: RemoteSummary[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const after = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
        const page: z.output<typeof remotePageSchema> = await askFor(
          remotePageSchema,
          `/v1/runs?limit=${pageSize}${after}`,
        );
        all.push(...page.runs);
        cursor = page.next_cursor;
      }
      return all;
    },
    async remove(runId) {
      const response = await ask(ofRun(runId), { method: "DELETE" });
      if (!response.ok) throw await refusal(response);
      await response.body?.cancel();
    },
    async artifact(runId, name) {
      const path = name.split("/").map(encodeURIComponent).join("/");
      const response = await ask(ofRun(runId, `/artifacts/${path}`));
      if (response.status === 404) return null;
      if (!response.ok) throw await refusal(response);
      return new Uint8Array(await response.arrayBuffer());
    },
    async events(runId, after) {
      const response = await ask(ofRun(runId, "/events"), {
        headers: { accept: "text/event-stream", ...(after === null ? {} : { "last-event-id": after }) },
      });
      if (response.status === 204) return null;
      if (!response.ok || response.body === null) throw await refusal(response);
      return readEventStream(response.body);
    },
  };
}

/** The gateway at an address, as a command asks it: with the key that is set, until the user interrupts. */
export function clientFor(
  { settings, signal }: Pick<CommandContext, "settings" | "signal">,
  address: URL,
): GatewayClient {
  return createGatewayClient({ address, apiKey: settings.apiKey, signal });
}
