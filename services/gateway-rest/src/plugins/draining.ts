import type { FastifyInstance, FastifyReply } from "fastify";

/** How long answers that are under way may take once the server closes, in milliseconds. */
const graceMs = 5_000;

export interface Draining {
  /**
   * Two signals: `signal` aborts when the answer is through or its client hangs up, `ending` also when the server begins to
   * close.
   */
  signalsOf(reply: FastifyReply): { signal: AbortSignal; ending: AbortSignal };
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
    signalsOf(reply) {
      const hungUp = new AbortController();
      const ending = new AbortController();
      controllers.add(ending);
      reply.raw.once("close", () => {
        controllers.delete(ending);
        hungUp.abort();
        ending.abort();
      });
      if (closing) ending.abort();
      return { signal: hungUp.signal, ending: ending.signal };
    },
    open: () => open,
  };
}
