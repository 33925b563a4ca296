import type { FastifyInstance, FastifyReply } from "fastify";

/** How long answers that are under way may take once the server closes, in milliseconds. */
const graceMs = 5_000;

export interface Draining {
  /** A signal that aborts when the answer is through, its client hangs up, or the server begins to close. */
  signalOf(reply: FastifyReply): AbortSignal;
  /** How many requests wait for the end of their answers. */
  open(): number;
}

/**
 * Ends what waits or streams when the server closes, and lets it close once the last answer is out. Fastify alone would wait
 * for whoever has connected and says nothing.
 */
export function installDraining(app: FastifyInstance): Draining {
  const controllers = new Set<AbortController>();
  let open = 0;
  let closing = false;
  let timer: NodeJS.Timeout | undefined;
  const hangUp = () => app.server.closeAllConnections();

  app.addHook("onRequest", async (_request, reply) => {
    open += 1;
    reply.raw.once("close", () => {
      open -= 1;
      if (closing && open === 0) setImmediate(hangUp);
    });
  });
  app.addHook("preClose", async () => {
    closing = true;
    for (const controller of controllers) controller.abort();
    if (open === 0) hangUp();
    else timer = setTimeout(hangUp, graceMs);
  });
  app.addHook("onClose", async () => clearTimeout(timer));

  return {
    signalOf(reply) {
      const controller = new AbortController();
      controllers.add(controller);
      reply.raw.once("close", () => {
        controllers.delete(controller);
        controller.abort();
      });
      if (closing) controller.abort();
      return controller.signal;
    },
    open: () => open,
  };
}
