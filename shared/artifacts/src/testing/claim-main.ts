import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { claimState } from "../fs/claims.ts";
import { storeFolder } from "../keys.ts";

/** Claims a state of an object as a replacement does, says so, and then stays: `claim-main.ts ROOT KEY ETAG`. */
const [root = "", key = "", etag = ""] = process.argv.slice(2);
const claim = await claimState(join(root, storeFolder, "claims"), key, etag);
writeFileSync(1, claim === null ? "taken\n" : "claimed\n");
setInterval(() => undefined, 60_000);
