import { writeFileSync } from "node:fs";
import { toProofroomError } from "@proofroom/contracts";
import { createFsStore } from "../fs/fs-store.ts";

/** Creates an object of so many bytes and says how that ended: `fill-main.ts ROOT KEY SIZE`. */
const [root = "", key = "", size = "0"] = process.argv.slice(2);
try {
  await createFsStore({ root }).create(key, new Uint8Array(Number(size)));
  writeFileSync(1, "created");
} catch (error) {
  const { code, message, disposition } = toProofroomError(error);
  writeFileSync(1, JSON.stringify({ code, message, disposition }));
}
