import { describe, expect, test } from "vitest";
import { resultAddress } from "./result-address.ts";

function keyOf(address: string): string {
  const found = resultAddress(address);
  if (typeof found === "string") throw new Error(`${address}: ${found}`);
  return found.key;
}

describe("the address of a search result", () => {
  test.each([
    ["a fragment", "https://a.dev/x#part"],
    ["tracking", "https://a.dev/x?utm_source=n&utm_campaign=c&gclid=1&fbclid=2"],
    ["a slash at its end", "https://a.dev/x/"],
    ["capitals in the host", "HTTPS://A.Dev/x"],
    ["www", "https://www.a.dev/x"],
    ["the other scheme", "http://a.dev/x"],
    ["the default port", "https://a.dev:443/x"],
  ])("is the same page with %s (a repeated URL gets a new number)", (_what, address) => {
    expect(keyOf(address)).toBe(keyOf("https://a.dev/x"));
  });

  test.each([
    ["capitals in the path", "https://a.dev/X"],
    ["a parameter that means something", "https://a.dev/x?id=1"],
    ["another port", "https://a.dev:8443/x"],
    ["another host", "https://b.a.dev/x"],
  ])("is another page with %s", (_what, address) => {
    expect(keyOf(address)).not.toBe(keyOf("https://a.dev/x"));
  });

  test("is the same paper of arXiv in every version and format (one paper cited four times)", () => {
    const all = [
      "https://arxiv.org/abs/2401.01234",
      "http://arxiv.org/abs/2401.01234v2",
      "https://arxiv.org/pdf/2401.01234v1.pdf",
      "https://www.arxiv.org/html/2401.01234v3",
      "https://export.arxiv.org/abs/2401.01234",
    ];
    expect(new Set(all.map(keyOf)).size).toBe(1);
    expect(keyOf("https://arxiv.org/abs/hep-th/9901001v1")).toBe(
      keyOf("https://arxiv.org/pdf/hep-th/9901001"),
    );
    expect(keyOf("https://arxiv.org/abs/2401.01235")).not.toBe(keyOf(all[0] ?? ""));
  });

  test("is shown without tracking and fragment, and otherwise as it was", () => {
    expect(resultAddress("https://A.dev/a%20b/?q=a+b&utm_source=x&z=~#top")).toMatchObject({
      ref: "https://a.dev/a%20b/?q=a+b&z=%7E",
    });
    expect(resultAddress("https://a.dev/?q=a%20b&z=~#top")).toMatchObject({
      ref: "https://a.dev/?q=a%20b&z=~",
    });
  });

  test.each([
    ["javascript:alert(1)", "invalid_input"],
    ["file:///etc/passwd", "invalid_input"],
    ["not an address", "invalid_input"],
    ["https://user:secret@a.dev/", "invalid_input"],
    [`https://a.dev/${"x".repeat(2_000)}`, "invalid_input"],
    ["http://169.254.169.254/latest/meta-data", "private_address"],
    ["http://localhost:8080/", "private_address"],
    ["http://[::1]/", "private_address"],
    ["http://10.0.0.1/", "private_address"],
  ])("%s is refused", (address, code) => {
    expect(resultAddress(address)).toBe(code);
  });
});
