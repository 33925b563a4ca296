import { type Capability, ProofroomError } from "@proofroom/contracts";
import type { Handler } from "@proofroom/runtime";

/**
 * A handler for a capability whose provider has not been set up: it says which setting enables it.
 * @param needs the settings, where the declaration itself does not list them
 */
export function notConfigured<C extends Capability>(
  capability: C,
  needs: readonly string[] = capability.needs ?? [],
): Handler<C> {
  const settings = needs.join(" and ");
  return async () => {
    throw new ProofroomError({
      code: "not_configured",
      message: `${capability.title}: this needs ${settings}, which is not set.`,
      remedy: `Set ${settings} and run the step again, or go on without it.`,
    });
  };
}
