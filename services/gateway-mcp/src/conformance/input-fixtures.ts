import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { askConfirmation, asking, askName, done, named, type State } from "./questions.ts";

// Calls that ask their caller for something before they answer (SEP-2322). No tool of the product does so; they show that
// the gateway lets such answers and their state through whole.

type Answer = CallToolResult | InputRequiredResult;
type Request = ServerContext["mcpReq"];

const colored = z.object({ color: z.string() });
const sampled = z.object({ content: z.object({ text: z.string() }) });
const rooted = z.object({ roots: z.array(z.object({ uri: z.string() })) });

/** What a caller can be asked, as its request says. */
const envelopeSchema = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({
    sampling: z.unknown().optional(),
    elicitation: z.unknown().optional(),
  }),
});

const askRoots = inputRequired.listRoots();

function askModel(text: string): InputRequest {
  const messages = [{ role: "user" as const, content: { type: "text" as const, text } }];
  return inputRequired.createMessage({ messages, maxTokens: 50 });
}

async function confirmed(state: State, request: Request, text: string): Promise<Answer> {
  const isConfirmed = acceptedContent(request.inputResponses, "confirm") !== undefined;
  if (isConfirmed && request.requestState() !== undefined) return done(text);
  return inputRequired({
    inputRequests: { confirm: askConfirmation },
    requestState: await state.mint({ round: 1 }),
  });
}

type Tools = Readonly<Record<string, (request: Request) => Answer | Promise<Answer>>>;

const stateless: Tools = {
  test_input_required_result_elicitation({ inputResponses }) {
    const answer = acceptedContent(inputResponses, "user_name", named);
    if (answer === undefined) return inputRequired({ inputRequests: { user_name: askName } });
    return done(`Hello, ${answer.name}!`);
  },

  test_input_required_result_sampling({ inputResponses }) {
    const answer = sampled.safeParse(inputResponses?.["capital_question"]);
    const capital_question = askModel("What is the capital of France?");
    if (!answer.success) return inputRequired({ inputRequests: { capital_question } });
    return done(`Sampling response: ${answer.data.content.text}`);
  },

  test_missing_capability({ inputResponses }) {
    if (inputResponses !== undefined) return done("Done.");
    return inputRequired({ inputRequests: { answer: askModel("Say anything.") } });
  },

  test_input_required_result_list_roots({ inputResponses }) {
    const answer = rooted.safeParse(inputResponses?.["client_roots"]);
    if (!answer.success) return inputRequired({ inputRequests: { client_roots: askRoots } });
    return done(answer.data.roots.map(({ uri }) => uri).join(", "));
  },

  test_input_required_result_capabilities({ envelope, inputResponses }) {
    if (inputResponses !== undefined) return done("Done.");
    const { sampling, elicitation } = envelopeSchema.parse(envelope)[CLIENT_CAPABILITIES_META_KEY];
    const inputRequests = {
      ...(elicitation === undefined ? {} : { user_name: askName }),
      ...(sampling === undefined ? {} : { greeting: askModel("Generate a greeting") }),
    };
    if (Object.keys(inputRequests).length === 0) return done("Nothing can be asked.");
    return inputRequired({ inputRequests });
  },
};

/** Those whose state goes to the caller and comes back. */
function stateful(state: State): Tools {
  return {
    test_input_required_result_request_state: (request) => confirmed(state, request, "state-ok"),
    test_input_required_result_tampered_state: (request) => confirmed(state, request, "integrity-ok"),

    async test_input_required_result_multiple_inputs({ inputResponses }) {
      const name = acceptedContent(inputResponses, "user_name", named);
      const greeting = sampled.safeParse(inputResponses?.["greeting"]);
      const roots = rooted.safeParse(inputResponses?.["client_roots"]);
      if (name !== undefined && greeting.success && roots.success) {
        return done(`${greeting.data.content.text} ${name.name}, ${roots.data.roots.length} roots`);
      }
      const inputRequests = {
        user_name: askName,
        greeting: askModel("Generate a greeting"),
        client_roots: askRoots,
      };
      return inputRequired({ inputRequests, requestState: await state.mint({ round: 1 }) });
    },

    async test_input_required_result_multi_round(request) {
      const round = request.requestState<{ round: number }>()?.round ?? 0;
      if (round === 2) return done("Both rounds are done.");
      const requestState = await state.mint({ round: round + 1 });
      return round === 0
        ? inputRequired({ inputRequests: { step1: askName }, requestState })
        : inputRequired({ inputRequests: { step2: asking("Which color?", colored) }, requestState });
    },
  };
}

function registerTools(server: McpServer, tools: Tools): void {
  for (const [name, answer] of Object.entries(tools)) {
    server.registerTool(name, { description: name, inputSchema: z.object({}) }, (_args, { mcpReq }) =>
      answer(mcpReq),
    );
  }
}

function registerPrompt(server: McpServer): void {
  server.registerPrompt(
    "test_input_required_result_prompt",
    { description: "Asks first.", argsSchema: z.object({}) },
    (_args, { mcpReq }) => {
      const given = z.object({ context: z.string() });
      const answer = acceptedContent(mcpReq.inputResponses, "user_context", given);
      if (answer === undefined) {
        const user_context = asking("In which context?", given);
        return inputRequired({ inputRequests: { user_context } });
      }
      const text = `Use the following context: ${answer.context}`;
      return { messages: [{ role: "user", content: { type: "text", text } }] };
    },
  );
}

export function registerInputFixtures(server: McpServer, state: State): void {
  registerTools(server, { ...stateless, ...stateful(state) });
  registerPrompt(server);
}
