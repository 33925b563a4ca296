import { createFsStore } from "@proofroom/artifacts";
import { capabilitiesOf, defaultTenant, ProofroomError } from "@proofroom/contracts";
import { connect, createCancelBus, createEventLog, createProducer, disconnect } from "@proofroom/queue";
import {
  type AnyHandler,
  createCancellations,
  type Handlers,
  type ServeDeps,
  serve,
} from "@proofroom/runtime";
import { silentLogger } from "@proofroom/telemetry";
import type { GatewayDeps } from "../gateway-deps.ts";
import { fakeHandler } from "./fake-handlers.ts";

type Service = "research" | "writer" | "critic" | "code-qa";

const notFaked: AnyHandler = async () => {
  throw new ProofroomError({ code: "not_configured", message: "There is no stand-in for it." });
};

/** Opens what a gateway works with, in a folder and on a Redis of a test. */
export function openTestDeps(place: { root: string; redisUrl: string }) {
  const log = silentLogger();
  const store = createFsStore({ root: place.root });
  const connection = connect({ url: place.redisUrl, role: "producer", log });
  const producer = createProducer(connection);
  const bus = createCancelBus(connection);
  const events = createEventLog(connection, log);
  const deps: GatewayDeps = { store, tenant: defaultTenant, producer, bus, events };
  return {
    deps,
    async close() {
      bus.close();
      await producer.close();
      await disconnect(connection);
    },
  };
}

/** Serves every service's queues with stand-ins; `handlers` replaces some of them. */
export function startFakeWorkers(options: {
  root: string;
  redisUrl: string;
  handlers?: Readonly<Record<string, AnyHandler>>;
  services?: readonly Service[];
  lockMs?: number;
}) {
  const log = silentLogger();
  const store = createFsStore({ root: options.root });
  const connection = connect({ url: options.redisUrl, role: "worker", log });
  const producer = createProducer(connection);
  const bus = createCancelBus(connection);
  const events = createEventLog(connection, log);
  const cancellations = createCancellations(bus);
  const { lockMs } = options;
  const deps: ServeDeps = { store, events, cancellations, log, connection, producer, lockMs };
  const services = options.services ?? ["research", "writer", "critic", "code-qa"];
  const workers = services.flatMap((service) => {
    const handlers = Object.fromEntries(
      capabilitiesOf(service).map(({ name }) => [
        name,
        options.handlers?.[name] ?? fakeHandler(name) ?? notFaked,
      ]),
    );
    return serve(service, handlers as unknown as Handlers<Service>, deps);
  });
  return {
    async close() {
      await Promise.all(workers.map((worker) => worker.close(500)));
      bus.close();
      await producer.close();
      await disconnect(connection);
    },
  };
}
