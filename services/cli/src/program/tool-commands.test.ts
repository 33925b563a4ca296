import { publicCapabilities } from "@proofroom/contracts";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { addToolCommands } from "./tool-commands.ts";

describe("the tool commands", () => {
  it("are one per public capability, each with an option for every field of its input", () => {
    const tool = new Command("tool");
    addToolCommands(tool, publicCapabilities(), async () => undefined);
    expect(tool.commands.map((command) => command.name())).toEqual(
      publicCapabilities().map(({ name }) => name),
    );
    for (const capability of publicCapabilities()) {
      const flags = tool.commands
        .find((command) => command.name() === capability.name)
        ?.options.map(({ long }) => long);
      for (const field of Object.keys(capability.input.shape))
        expect(flags).toContain(`--${field.replaceAll("_", "-")}`);
      expect(flags).toEqual(expect.arrayContaining(["--run", "--input", "--force", "--json"]));
    }
  });
});
