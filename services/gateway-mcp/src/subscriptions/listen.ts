import {
  createMcpHandler,
  type McpHttpHandler,
  type McpServerFactory,
  type ProtocolError,
  ProtocolErrorCode,
  type ServerEvent,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { isProofroomError } from "@proofroom/contracts";
import { z } from "zod";
import type { GatewayDeps } from "../gateway-deps.ts";
import { guarded } from "../protocol/guarded.ts";
import { artifactTarget, followChanges, listTarget, positionsOf, type Target } from "./changes.ts";

/** Streams that one tenant may keep open at one replica, and artifacts that one stream may be about. */
const streamsOpen = 500;
const artifactsWatched = 100;

/** How often a stream shows that it lives, in milliseconds: proxies cut connections that are silent. */
const keepAliveMs = 10_000;

/** A request to listen, as far as what is ours in it goes. */
const listenSchema = z.looseObject({
  method: z.literal("subscriptions/listen"),
  id: z.union([z.string(), z.number()]),
  params: z.looseObject({
    notifications: z.looseObject({
      resourcesListChanged: z.boolean().optional(),
      resourceSubscriptions: z.array(z.string()).optional(),
    }),
  }),
});
type Listen = z.output<typeof listenSchema>;

export interface SubscriptionOptions {
  /** Makes the server of a request, for what it declares. */
  factory: McpServerFactory;
  deps: GatewayDeps;
  /** Aborts when the process is to end: streams are then ended as the protocol has it. */
  closing: AbortSignal;
  onerror(error: Error): void;
}

/** The artifacts that are there for the caller. Of those that are another's no more is said than of those that are not. */
async function theirs(uris: readonly string[], deps: GatewayDeps): Promise<Target[]> {
  const found = await Promise.all(
    [...new Set(uris)].map((uri) =>
      artifactTarget(uri, deps).catch((error: unknown) => {
        const isNone = isProofroomError(error) && ["not_found", "invalid_input"].includes(error.code);
        if (isNone) return null;
        throw error;
      }),
    ),
  );
  return found.filter((target) => target !== null);
}

function eventOf({ uri }: Target): ServerEvent {
  return uri === null ? { kind: "resources_list_changed" } : { kind: "resource_updated", uri };
}

/**
 * A handler that also answers `subscriptions/listen`: the stream tells of changes by whichever process until its request
 * ends, and is acknowledged for what the caller may see. Each stream is about artifacts of its own, so each has a bus of its own.
 */
export function withSubscriptions(
  handler: McpHttpHandler,
  { factory, deps, closing, onerror }: SubscriptionOptions,
): Pick<McpHttpHandler, "fetch" | "close"> {
  const streams = new Set<Pick<McpHttpHandler, "close">>();
  const closeAll = () => Promise.all([...streams].map((stream) => stream.close()));
  closing.addEventListener("abort", () => void closeAll().catch(onerror), { once: true });
  let taken = 0;

  async function listen(message: Listen, ...[request, options]: Parameters<McpHttpHandler["fetch"]>) {
    const { resourcesListChanged = false, resourceSubscriptions = [] } = message.params.notifications;
    const artifacts = await theirs(resourceSubscriptions, deps);
    const targets = [...artifacts, ...(resourcesListChanged ? [listTarget(deps.tenant)] : [])];
    const positions = await positionsOf(deps.events, targets);
    const bus: ServerEventBus = {
      publish: () => undefined,
      subscribe(listener) {
        const stop = new AbortController();
        const tell = (target: Target) => listener(eventOf(target));
        followChanges(deps.events, { targets, positions }, tell, stop.signal).catch(onerror);
        streams.add(stream);
        taken += 1;
        return () => {
          stop.abort();
          streams.delete(stream);
          taken -= 1;
        };
      },
    };
    const stream = createMcpHandler(factory, { bus, keepAliveMs, onerror });
    const notifications = {
      ...message.params.notifications,
      resourceSubscriptions: artifacts.flatMap(({ uri }) => uri ?? []),
    };
    const parsedBody = { ...message, params: { ...message.params, notifications } };
    const response = await stream.fetch(request, { ...options, parsedBody });
    // It may have opened while all were being closed.
    if (closing.aborted) await stream.close();
    return response;
  }

  return {
    async fetch(request, options) {
      const message = listenSchema.safeParse(options?.parsedBody);
      // What is not in order is told as the SDK tells it.
      if (!message.success) return handler.fetch(request, options);
      const refuse = (code: number, text: string) =>
        Response.json({ jsonrpc: "2.0", error: { code, message: text }, id: message.data.id });
      const { resourceSubscriptions: uris = [] } = message.data.params.notifications;
      if (uris.length > artifactsWatched) {
        return refuse(
          ProtocolErrorCode.InvalidParams,
          `One stream tells of ${artifactsWatched} artifacts at most.`,
        );
      }
      if (taken >= streamsOpen || closing.aborted)
        return refuse(ProtocolErrorCode.InternalError, "No stream can be opened now.");
      taken += 1;
      try {
        return await guarded(listen(message.data, request, options));
      } catch (error) {
        const { code, message: text } = error as ProtocolError;
        return refuse(code, text);
      } finally {
        taken -= 1;
      }
    },
    async close() {
      await Promise.all([closeAll(), handler.close()]);
    },
  };
}
