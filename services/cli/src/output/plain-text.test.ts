import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createTerminal } from "./terminal.ts";

function printed(text: string): { stdout: string; stderr: string } {
  const out = { stdout: "", stderr: "" };
  const sink = (name: keyof typeof out) =>
    new Writable({
      decodeStrings: false,
      write(chunk: string, _encoding, done) {
        out[name] += chunk;
        done();
      },
    });
  const terminal = createTerminal({
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    json: false,
    events: false,
  });
  terminal.note(text);
  terminal.result({}, text);
  return out;
}

describe("text of others on the terminal", () => {
  it.each([
    ["clears the screen", "a\u001b[2Jb", "a\ufffd[2Jb"],
    ["renames the window", "a\u001b]0;x\u0007b", "a\ufffd]0;x\ufffdb"],
    ["hides text", "a\u001b[8mb", "a\ufffd[8mb"],
    ["overwrites its line", "a\rb\bc", "a\ufffdb\ufffdc"],
    ["speaks in C1", "a\u009b2Jb", "a\ufffd2Jb"],
    ["turns around", "a\u202eb\u2066c", "a\ufffdb\ufffdc"],
  ])("is shown, not obeyed, where it %s", (_name, text, shown) => {
    expect(printed(text)).toEqual({ stdout: `${shown}\n`, stderr: `${shown}\n` });
  });

  it("keeps our own colours, line breaks and every script", () => {
    const text = "\u001b[32m✓\u001b[39m \u001b[2mשלום\u001b[22m\n\tüñí 日本";
    expect(printed(text)).toEqual({ stdout: `${text}\n`, stderr: `${text}\n` });
  });
});
