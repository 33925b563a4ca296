import { randomBytes } from "node:crypto";
import { createRequestStateCodec } from "@modelcontextprotocol/server";
import type { ServerExtension } from "../protocol/server.ts";
import { askingTasks } from "./asking-tasks.ts";
import {
  registerContentPrompts,
  registerContentResources,
  registerContentTools,
} from "./content-fixtures.ts";
import { registerInputFixtures } from "./input-fixtures.ts";
import type { State } from "./questions.ts";
import { taskFixtures } from "./task-fixtures.ts";

/** Everything that the conformance suite asks for by name, offered by the product's own servers. */
export function conformanceFixtures(): ServerExtension {
  const state: State = createRequestStateCodec({ key: randomBytes(32) });
  const asking = askingTasks(state);
  return {
    tools: taskFixtures(),
    tasks: asking.source,
    // Refuses a state that comes back other than it was given out.
    options: { requestState: { verify: state.verify } },
    register(server) {
      registerContentTools(server);
      registerContentResources(server);
      registerContentPrompts(server);
      registerInputFixtures(server, state);
      asking.register(server);
    },
  };
}
