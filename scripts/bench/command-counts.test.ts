import { describe, expect, it } from "vitest";
import { callsBetween, parseCommandStats } from "./command-counts.ts";

const info = (lines: readonly string[]) => `# Commandstats\r\n${lines.join("\r\n")}\r\n`;

describe("Redis's command statistics", () => {
  it("give the calls of each command, subcommands with their command", () => {
    const counts = parseCommandStats(
      info([
        "cmdstat_evalsha:calls=12,usec=340,usec_per_call=28.33,rejected_calls=0,failed_calls=0",
        "cmdstat_config|get:calls=2,usec=30,usec_per_call=15.00,rejected_calls=0,failed_calls=0",
        "cmdstat_config|set:calls=1,usec=10,usec_per_call=10.00,rejected_calls=0,failed_calls=0",
      ]),
    );
    expect([...counts]).toEqual([
      ["evalsha", 12],
      ["config", 3],
    ]);
  });

  it("count what happened in between, new commands too, and not the counting", () => {
    const before = parseCommandStats(
      info(["cmdstat_evalsha:calls=12,usec=1", "cmdstat_info:calls=1,usec=1"]),
    );
    const after = parseCommandStats(
      info(["cmdstat_evalsha:calls=20,usec=1", "cmdstat_info:calls=2,usec=1", "cmdstat_xadd:calls=5,usec=1"]),
    );
    expect(callsBetween(before, after)).toEqual({ evalsha: 8, all: 13 });
  });
});
