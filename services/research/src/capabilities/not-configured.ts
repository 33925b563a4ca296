import { type Capability, ProofroomError } from "@proofroom/contracts";
import type { Handler } from "@proofroom/runtime";

/**
 * A handler for a capability without a provider: it says which setting enables it, or, where that is set, that
 * this version has no provider for it.
 * @param configured names of the settings that are set
 * @param needs the settings, where the declaration itself does not list them
 */
export function notConfigured<C extends Capability>(
  capability: C,
  configured: ReadonlySet<string>,
  needs: readonly string[] = capability.needs ?? [],
): Handler<C> {
  const settings = needs.join(" and ");
  return async () => {
    if (needs.every((name) => configured.has(name))) {
      throw new ProofroomError({
        code: "not_configured",
        message: `${capability.title}: ${settings} is set, but this version has no provider for it yet.`,
        remedy: "Go on without it; its sources are listed as not available.",
      });
    }
    throw new ProofroomError({
      code: "not_configured",
      message: `${capability.title}: this needs ${settings}, which is not set.`,
      remedy: `Set ${settings} and run the step again, or go on without it.`,
    });
  };
}
