/** The version that a service started so tells of itself. */
export const otherVersion = "99.0.0";

/** What stands in another version of the product: all capabilities have another version, and the program another name for its own. */
const hooks = `
import { registerHooks } from "node:module";
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const changed = (pattern, replacement) => ({ ...loaded, source: String(loaded.source).replace(pattern, replacement) });
    if (url.includes("/contracts/src/capabilities/")) return changed(/^ {2}version: \\d+,$/m, "  version: 99,");
    if (url.endsWith("/package.json")) return changed(/"version": "[^"]+"/, '"version": "${otherVersion}"');
    return loaded;
  },
});`;

/** The environment that makes a service the same program in another version. */
export const asOtherVersion: Record<string, string> = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hooks)}`,
};
