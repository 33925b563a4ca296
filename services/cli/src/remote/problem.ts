import { errorCodes, ProofroomError } from "@proofroom/contracts";
import { z } from "zod";

const problemSchema = z.object({
  code: z.string(),
  detail: z.string(),
  remedy: z.string().optional(),
});

const codeSchema = z.enum(errorCodes);

/** What only HTTP has, as the product says it. */
const refusals: Readonly<Record<string, { code: z.infer<typeof codeSchema>; remedy: string }>> = {
  unauthorized: {
    code: "not_configured",
    remedy: "Set PROOFROOM_API_KEY to a key of that gateway.",
  },
  misdirected: { code: "invalid_input", remedy: "Name the gateway by the host that it answers to." },
  forbidden: { code: "not_configured", remedy: "Ask whoever runs the gateway." },
  precondition_failed: { code: "conflict", remedy: "Run it again." },
};

/** What a refusal of the gateway means to who asked: its own code, message and remedy, as far as it is one of ours. */
export function refusedBy(gateway: string, status: number, body: unknown): ProofroomError {
  const problem = problemSchema.safeParse(body);
  if (!problem.success) {
    return new ProofroomError({
      code: "dependency_down",
      message: `What answers at ${gateway} is no Proofroom gateway, or none that works (status ${status}).`,
      remedy: "Check the address that --remote names.",
    });
  }
  const { detail, remedy } = problem.data;
  const refusal = refusals[problem.data.code];
  if (refusal !== undefined) return new ProofroomError({ ...refusal, message: detail });
  const code = codeSchema.safeParse(problem.data.code);
  return new ProofroomError({
    code: code.success ? code.data : "internal",
    message: detail,
    ...(remedy === undefined ? {} : { remedy }),
  });
}
