import { describe, expect, it } from "vitest";
import { authorNames, calledName } from "./author-names.ts";
import { licenceOfAddress, licenceOfName, statedLicence } from "./licence-name.ts";
import { plainWords } from "./plain-words.ts";

describe("the licence at an address", () => {
  it.each([
    ["https://creativecommons.org/licenses/by/4.0/", "CC-BY-4.0"],
    ["http://www.creativecommons.org/licenses/by-nc-sa/3.0/deed.de", "CC-BY-NC-SA-3.0"],
    ["https://creativecommons.org/licenses/by-sa/4.0/legalcode", "CC-BY-SA-4.0"],
    ["https://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0"],
    ["https://opensource.org/license/mit/", "MIT"],
    ["https://opensource.org/licenses/BSD-3-Clause", "BSD-3-Clause"],
    ["https://spdx.org/licenses/MPL-2.0.html", "MPL-2.0"],
    ["https://www.apache.org/licenses/LICENSE-2.0", "Apache-2.0"],
    ["https://creativecommons.org/licenses/by/3.0/us/", null],
    ["https://creativecommons.org/licenses/", null],
    ["https://creativecommons.org/licenses/by/9.0/", null],
    ["https://creativecommons.org.evil.dev/licenses/by/4.0/", null],
    ["https://x.dev/licence", null],
    ["javascript:alert(1)", null],
  ])("%s is %s", (address, id) => {
    expect(licenceOfAddress(address)).toBe(id);
  });
});

describe("a licence that is named", () => {
  it.each([
    ["MIT", "MIT"],
    ["The MIT License", "MIT"],
    ["apache-2.0", "Apache-2.0"],
    ["Apache License, Version 2.0", "Apache-2.0"],
    ["CC BY-SA 4.0", "CC-BY-SA-4.0"],
    ["CC BY-NC-ND 4.0", "CC-BY-NC-ND-4.0"],
    ["cc-by-4.0", "CC-BY-4.0"],
    ["Creative Commons Attribution 4.0 International License", "CC-BY-4.0"],
    ["Creative Commons Attribution-NonCommercial-ShareAlike 4.0 International", "CC-BY-NC-SA-4.0"],
    ["CC0", "CC0-1.0"],
    ["CC BY", null],
    ["MIT or Apache-2.0", null],
    ["All rights reserved", null],
  ])("%s is %s", (text, id) => {
    expect(licenceOfName(text)).toBe(id);
  });

  it("keeps the words where no id is certain, and an address only where it can be opened", () => {
    const url = "https://x.dev/terms";
    expect(statedLicence({ words: " Free\nfor schools ", address: url })).toEqual({
      licence: "Free for schools",
      licence_url: url,
    });
    expect(statedLicence({ address: url })).toEqual({ licence: url, licence_url: url });
    expect(statedLicence({ words: "MIT", address: "javascript:alert(1)" })).toEqual({ licence: "MIT" });
    expect(statedLicence({ words: " ", address: "/relative" })).toEqual({});
  });
});

describe("foreign words", () => {
  it("are one line of bounded length that reads as it is written", () => {
    expect(plainWords(" a\n\u0007b\u202Ec ")).toBe("a bc");
    expect(plainWords("x".repeat(500))).toHaveLength(200);
    expect(plainWords("\ud800")).toBe("\ufffd");
  });

  it("authors are named once each, without addresses, and not all of very many", () => {
    const mixed = ["Ada Byron <ada@x.dev>", "https://x.dev/ada", "Ada Byron", "@ada", "李四", "42"];
    expect(authorNames(mixed)).toBe("Ada Byron, 李四");
    expect(authorNames(Array.from({ length: 40 }, (_, n) => `Author ${n}`))).toMatch(
      /^Author 0, .*Author 11 and others$/,
    );
    expect(authorNames(["", "https://x.dev"])).toBeUndefined();
    expect(calledName("Byron, Ada")).toBe("Ada Byron");
    expect(calledName("Byron, Ada, Jr.")).toBe("Byron, Ada, Jr.");
  });
});
