import { describe, expect, it } from "vitest";
import { parseArguments } from "./arguments.ts";

const known = ["digest", "sandbox", "startup"];

describe("the arguments", () => {
  it("name all measurements where they name none", () => {
    expect(parseArguments([], known)).toEqual({
      help: false,
      json: false,
      names: known,
      seconds: 60,
    });
  });

  it("choose measurements, each once and in the order of the list", () => {
    expect(parseArguments(["startup", "digest", "startup"], known).names).toEqual(["digest", "startup"]);
  });

  it("take options before and after names", () => {
    expect(parseArguments(["--json", "sandbox"], known)).toMatchObject({ json: true, names: ["sandbox"] });
    expect(parseArguments(["sandbox", "-h"], known)).toMatchObject({ help: true, names: ["sandbox"] });
  });

  it("say how long load is applied", () => {
    expect(parseArguments(["--seconds", "3"], known).seconds).toBe(3);
  });

  it.each(["0", "-1", "soon", "", "3601"])("are refused where %j is to be a number of seconds", (seconds) => {
    expect(() => parseArguments([`--seconds=${seconds}`], known)).toThrow(/--seconds/);
  });

  it("are refused with the names there are where one is not known", () => {
    expect(() => parseArguments(["digset"], known)).toThrow(/"digset".*digest, sandbox, startup/);
  });

  it("are refused where an option is not known", () => {
    expect(() => parseArguments(["--jsno"], known)).toThrow(/--jsno/);
  });
});
