import { createKeyFinder, isLocalRequest } from "@proofroom/access";
import type { QueueBoard } from "@proofroom/queue";
import type { Logger } from "@proofroom/telemetry";
import fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { installProblems } from "../plugins/problems.ts";
import type { RefuseKey } from "../plugins/refused-keys.ts";
import { HttpProblem } from "../problems/http-problem.ts";
import { toProblem } from "../problems/to-problem.ts";
import { operatorKeyIn } from "./operator-key.ts";

/** Where the dashboard is. */
const place = "/admin/queues";

/** The page loads what this server serves, and nothing else; its styles are set by its script. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'";

/** Fonts that the page would get elsewhere. */
const foreignStyles = /<link href="https:[^>]*>\s*/g;

interface DashboardOptions {
  log: Logger;
  /** By their sha256; none: nobody looks from afar. */
  operatorKeys?: readonly string[] | undefined;
  refuseKey: RefuseKey;
}

/** Lets through who has an operator's key. Jobs of all tenants are shown: no tenant's key opens it. */
function createKeyCheck({
  operatorKeys = [],
  refuseKey,
}: DashboardOptions): (request: FastifyRequest) => void {
  const find = createKeyFinder(operatorKeys);
  return (request) => {
    if (operatorKeys.length === 0) {
      throw new HttpProblem({
        status: 403,
        code: "forbidden",
        detail:
          "The queues are shown on the machine itself, under the name localhost, and to those whose keys PROOFROOM_OPERATOR_KEYS names.",
      });
    }
    const key = operatorKeyIn(request.headers.authorization);
    if (key === null || find(key) === null)
      throw refuseKey(request, "An operator's key is needed.", 'Basic realm="proofroom queues"');
  };
}

/** Lets through who only looks. */
function assertLooks(request: FastifyRequest): void {
  if (request.method !== "GET" && request.method !== "HEAD") {
    throw new HttpProblem({
      status: 405,
      code: "method_not_allowed",
      detail:
        "The queues can be looked at only: runs are steered through the API, whose ledger is the truth.",
      headers: { allow: "GET, HEAD" },
    });
  }
}

/** A server of its own, which never listens: it is loaded when somebody looks, and not when the gateway starts. */
async function openDashboard(board: QueueBoard, log: Logger): Promise<FastifyInstance> {
  const [{ createBullBoard }, { BullMQAdapter }, { FastifyAdapter }, queues] = await Promise.all([
    import("@bull-board/api"),
    import("@bull-board/api/bullMQAdapter"),
    import("@bull-board/fastify"),
    board.queues(),
  ]);
  const adapter = new FastifyAdapter();
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter: adapter,
    // Workers are among the metrics, in one question to Redis rather than one for each queue.
    options: { uiConfig: { boardTitle: "Proofroom", hideDocsLink: true, showWorkers: false } },
  });
  adapter.setErrorHandler((error) => {
    log.error({ err: error.message }, "the dashboard failed");
    const { status, body } = toProblem(error);
    return { status: status as 500, body };
  });
  const app = fastify();
  installProblems(app, log);
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers({
      "content-security-policy": pagePolicy,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
  });
  app.addHook("onSend", async (_request, reply, payload) => {
    const isPage = String(reply.getHeader("content-type")).startsWith("text/html");
    return isPage && typeof payload === "string" ? payload.replace(foreignStyles, "") : payload;
  });
  await app.register(adapter.registerPlugin(), { prefix: place });
  await app.ready();
  return app;
}

/** Shows the queues and their jobs to whoever sits at this machine, and to operators from afar. */
export function installDashboard(app: FastifyInstance, board: QueueBoard, options: DashboardOptions): void {
  const { log } = options;
  const assertOperator = createKeyCheck(options);
  let opened: Promise<FastifyInstance> | undefined;
  app.addHook("onClose", async () => (await opened?.catch(() => undefined))?.close());

  app.register(async (scope) => {
    scope.addHook("onRequest", async (request) => {
      if (!isLocalRequest(request.raw)) assertOperator(request);
      assertLooks(request);
    });
    for (const url of [place, `${place}/*`]) {
      scope.all(url, { config: { access: "public" } }, async (request, reply) => {
        // Each time, since BullMQ would wait for a Redis that is away.
        await board.queues();
        opened ??= openDashboard(board, log);
        const dashboard = await opened.catch((error: unknown) => {
          opened = undefined;
          throw error;
        });
        reply.hijack();
        dashboard.routing(request.raw, reply.raw);
      });
    }
  });
}
