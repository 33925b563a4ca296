import { describe, expect, test } from "vitest";
import { notContent } from "./not-content.ts";

const filler =
  "Retries need a budget, because a client that repeats without end makes an outage worse. ".repeat(6);
const of = (title: string, text: string, html = "") => notContent({ title, text, html });

describe("notContent", () => {
  test.each([
    ["Just a moment...", "Verifying you are human. This may take a few seconds.", "challenge"],
    ["Attention Required! | Cloudflare", `Sorry, you have been blocked. ${filler}`, "challenge"],
    ["example.com", "Checking your browser before accessing example.com. ".repeat(5), "challenge"],
    [
      "Access Denied",
      "You don't have permission to access this resource on this server. Reference #18",
      "challenge",
    ],
    ["Log in | Acme", filler, "login"],
    ["Acme", `Please sign in. ${"More words of a footer follow here. ".repeat(7)}`, "login"],
    ["404 Not Found", "nginx", "missing"],
    ["Page not found | Acme Docs", filler, "missing"],
    [
      "Acme Docs",
      `Sorry, the page you are looking for does not exist. ${"Try the search. ".repeat(10)}`,
      "missing",
    ],
    ["Acme | 404", filler, "missing"],
    [
      "App",
      `You need to enable JavaScript to run this app. ${"Loading the app now. ".repeat(10)}`,
      "script_only",
    ],
    ["", JSON.stringify({ error: { code: 429, message: filler } }), "data"],
    ["Note", "Too short to be cited.", "empty"],
    ["", "", "empty"],
  ])("%s is no content", (title, text, problem) => {
    expect(of(title, text)).toBe(problem);
  });

  test("tells a bot check by its markup where it says nothing", () => {
    expect(of("Site", "Loading. ".repeat(30), '<script src="/cdn-cgi/challenge-platform/h/b.js">')).toBe(
      "challenge",
    );
    expect(of("Site", "Welcome. ".repeat(30), '<input name="p" type="password">')).toBe("login");
  });

  test.each([
    [
      "How CAPTCHAs work",
      `${filler}Please verify you are human is what they say. ${filler}${filler}${filler}`,
      "<div class='g-recaptcha'>",
    ],
    ["HTTP 404 and how to avoid it", filler.repeat(4), ""],
    ["Error handling in Go", filler.repeat(2), '<script src="/cdn-cgi/challenge-platform/x.js"></script>'],
    ["Login flows with OAuth", filler.repeat(4), '<input type="password">'],
    ["Retries", filler, ""],
  ])("an article is content whatever it is about: %s", (title, text, html) => {
    expect(of(title, text, html)).toBeNull();
  });
});

test("a megabyte of inputs that never end is no work of minutes", () => {
  expect(of("Acme", "A short text of a page.", "<input type ".repeat(90_000))).toBe("empty");
});
