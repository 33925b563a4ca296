import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { claimOutput } from "./protocol-output.ts";

it("lets only the protocol onto stdout, and tells it when the reader is gone", async () => {
  const stdout = new PassThrough({ encoding: "utf8" });
  const others = new PassThrough({ encoding: "utf8" });
  const { output, release } = claimOutput(stdout, others);
  stdout.write("Warning: something\n");
  output.write('{"jsonrpc":"2.0"}\n');
  expect(stdout.read()).toBe('{"jsonrpc":"2.0"}\n');
  expect(others.read()).toBe("Warning: something\n");
  const broken = once(output, "error");
  stdout.emit("error", new Error("EPIPE"));
  expect((await broken)[0]).toMatchObject({ message: "EPIPE" });
  release();
  stdout.write("again");
  expect(stdout.read()).toBe("again");
});
