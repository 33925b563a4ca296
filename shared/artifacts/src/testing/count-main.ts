import { writeFileSync } from "node:fs";
import { createFsStore } from "../fs/fs-store.ts";
import { increment } from "./increment.ts";

/** Adds one to the number in an object so many times, and says each time that it has: `count-main.ts ROOT KEY TIMES`. */
const [root = "", key = "", times = "0"] = process.argv.slice(2);
const store = createFsStore({ root });
for (let n = 0; n < Number(times); n += 1) {
  await increment(store, key);
  writeFileSync(1, "+");
}
