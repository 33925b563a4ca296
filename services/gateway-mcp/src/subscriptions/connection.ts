import { setTimeout as pause } from "node:timers/promises";
import {
  type JSONRPCMessage,
  type McpServer,
  PROTOCOL_VERSION_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { GatewayDeps } from "../gateway-deps.ts";
import { guarded } from "../protocol/guarded.ts";
import { artifactTarget, followChanges, listTarget, positionsOf, type Target } from "./changes.ts";

const requestId = z.union([z.string(), z.number()]);

/** What a client sends that concerns subscriptions. */
const heardSchema = z.discriminatedUnion("method", [
  z.object({
    method: z.literal("subscriptions/listen"),
    id: requestId,
    params: z.object({
      // The legacy era has no such request.
      _meta: z.looseObject({ [PROTOCOL_VERSION_META_KEY]: z.string() }),
      notifications: z.object({
        resourcesListChanged: z.boolean().optional(),
        resourceSubscriptions: z.array(z.string()).optional(),
      }),
    }),
  }),
  z.object({ method: z.literal("notifications/cancelled"), params: z.object({ requestId }) }),
  z.object({ method: z.literal("notifications/initialized") }),
]);

const acknowledgedSchema = z.object({
  method: z.literal("notifications/subscriptions/acknowledged"),
  params: z.object({ _meta: z.object({ [SUBSCRIPTION_ID_META_KEY]: requestId }) }),
});

/** How long an acknowledgement may wait, in milliseconds. */
const longestWaitMs = 1_000;

/** The list of resources, among the addresses that are subscribed to. */
const list = "";

/** Who subscribes: a request to listen by its id, or a legacy client as a whole. */
type Subscriber = string | number | typeof legacy;
const legacy = Symbol("legacy");

/** What the client of a connection that stays subscribes to, in either era. */
export interface ConnectionSubscriptions {
  /** Hears what the client sends, before the server does: the SDK keeps requests to listen to itself. */
  hear(message: JSONRPCMessage): void;
  /**
   * Of an acknowledgement: resolves when nothing that happens from then on is missed, after a second at the latest: what
   * the connection carries comes after it.
   */
  readyFor(message: JSONRPCMessage): Promise<void>;
  /** Has the connection's server tell of changes, and one of the legacy era take subscriptions. */
  serve(server: McpServer, era: "legacy" | "modern"): McpServer;
  end(): void;
}

interface Followed {
  subscribers: Set<Subscriber>;
  stop: AbortController;
  begun: Promise<void>;
}

/** @param open opens what is subscribed to */
export function createConnectionSubscriptions(
  open: () => Promise<GatewayDeps>,
  onerror: (error: Error) => void,
): ConnectionSubscriptions {
  const followed = new Map<string, Followed>();
  let connected: McpServer | undefined;

  function tell({ uri }: Target): void {
    const sent =
      uri === null
        ? connected?.server.sendResourceListChanged()
        : connected?.server.sendResourceUpdated({ uri });
    sent?.catch(onerror);
  }

  async function begin(uri: string, signal: AbortSignal): Promise<void> {
    const deps = await open();
    const targets = [uri === list ? listTarget(deps.tenant) : await artifactTarget(uri, deps)];
    // While Redis is away nobody knows where its logs stand: they are followed from when it is back.
    const positions = await positionsOf(deps.events, targets).catch(() => new Map<string, string>());
    followChanges(deps.events, { targets, positions }, tell, signal).catch(onerror);
  }

  function unsubscribe(uri: string, subscriber: Subscriber): void {
    const one = followed.get(uri);
    one?.subscribers.delete(subscriber);
    if (one?.subscribers.size !== 0) return;
    one.stop.abort();
    followed.delete(uri);
  }

  /** @throws ProofroomError as `artifactTarget` does */
  async function subscribe(uri: string, subscriber: Subscriber): Promise<void> {
    let one = followed.get(uri);
    if (one === undefined) {
      const stop = new AbortController();
      one = { subscribers: new Set(), stop, begun: begin(uri, stop.signal) };
      followed.set(uri, one);
    }
    one.subscribers.add(subscriber);
    try {
      await one.begun;
    } catch (error) {
      unsubscribe(uri, subscriber);
      throw error;
    }
  }

  return {
    hear(message) {
      const heard = heardSchema.safeParse(message).data;
      if (heard?.method === "notifications/cancelled") {
        for (const uri of [...followed.keys()]) unsubscribe(uri, heard.params.requestId);
      } else if (heard?.method === "notifications/initialized") {
        subscribe(list, legacy).catch(onerror);
      } else if (heard !== undefined) {
        const { resourcesListChanged, resourceSubscriptions = [] } = heard.params.notifications;
        const wanted = [...resourceSubscriptions, ...(resourcesListChanged === true ? [list] : [])];
        for (const uri of wanted) subscribe(uri, heard.id).catch(onerror);
      }
    },

    async readyFor(message) {
      const id = acknowledgedSchema.safeParse(message).data?.params._meta[SUBSCRIPTION_ID_META_KEY];
      if (id === undefined) return;
      const its = [...followed.values()].filter(({ subscribers }) => subscribers.has(id));
      const begun = Promise.allSettled(its.map((one) => one.begun));
      await Promise.race([begun, pause(longestWaitMs, undefined, { ref: false })]);
    },

    serve(server, era) {
      connected = server;
      if (era === "modern") return server;
      server.server.registerCapabilities({ resources: { subscribe: true, listChanged: true } });
      server.server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
        await guarded(subscribe(uri, legacy));
        return {};
      });
      server.server.setRequestHandler("resources/unsubscribe", async ({ params: { uri } }) => {
        unsubscribe(uri, legacy);
        return {};
      });
      return server;
    },

    end() {
      for (const { stop } of followed.values()) stop.abort();
      followed.clear();
    },
  };
}
