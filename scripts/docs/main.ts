import { writeFile } from "node:fs/promises";
import { capabilityReference } from "./capability-reference.ts";

await writeFile(new URL("../../docs/capabilities.md", import.meta.url), capabilityReference());
