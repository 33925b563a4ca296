import { expect, it } from "vitest";
import { typedAs } from "./typed-as.ts";

const npm = { npm_lifecycle_event: "start", npm_package_json: "/checkout/package.json" };
const launched = { PROOFROOM_LAUNCHER: "/checkout/services/cli/bin/proofroom.mjs" };

it.each([
  ["npm start --", { ...npm, INIT_CWD: "/checkout" }],
  ["npm start --", { ...npm, INIT_CWD: "/checkout/examples" }],
  ["npm --prefix /checkout start --", { ...npm, INIT_CWD: "/home/user" }],
  ["npm start --", { ...npm, npm_lifecycle_event: "smoke:live", INIT_CWD: "/checkout" }],
  ["npx proofroom", { ...npm, npm_lifecycle_event: "npx", INIT_CWD: "/checkout" }],
  // A script of another package that starts it is not ours to name.
  ["proofroom", { npm_lifecycle_event: "start", npm_package_json: "/other/package.json" }],
  ["services/cli/bin/proofroom.mjs", { ...launched, INIT_CWD: "/checkout" }],
  ["./proofroom.mjs", { ...launched, INIT_CWD: "/checkout/services/cli/bin" }],
  ["/checkout/services/cli/bin/proofroom.mjs", { ...launched, INIT_CWD: "/home/user" }],
  ["'/a b/proofroom.mjs'", { PROOFROOM_LAUNCHER: "/a b/proofroom.mjs", INIT_CWD: "/home/user" }],
  ["proofroom", { PROOFROOM_LAUNCHER: "/usr/local/bin/proofroom" }],
  ["proofroom", {}],
])("a hint begins with %s where it was started so: %j", (typed, env) => {
  expect(typedAs(env, { cwd: "/checkout", checkout: "/checkout/" })).toBe(typed);
});
