import type { AnyHandler } from "@proofroom/runtime";
import type { Patience } from "../http/stream-when-late.ts";
import type { ServerExtension } from "../protocol/server.ts";
import { startFakeWorkers } from "./fake-workers.ts";
import { startTestGateway } from "./start-test-gateway.ts";

export interface WholeGateway {
  readonly url: string;
  close(): Promise<void>;
}

/** The product's gateway over HTTP with stand-ins for its workers, in a folder and on a Redis of a test. */
export async function startWholeGateway(options: {
  root: string;
  redisUrl: string;
  handlers?: Readonly<Record<string, AnyHandler>>;
  extension?: ServerExtension;
  patience?: Patience;
}): Promise<WholeGateway> {
  const { root, redisUrl, extension, patience } = options;
  const workers = startFakeWorkers(options);
  const gateway = await startTestGateway({ root, redisUrl }, { extension, patience });
  return {
    url: gateway.url,
    async close() {
      await gateway.close(100);
      await workers.close();
    },
  };
}
