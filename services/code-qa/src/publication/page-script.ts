import { createHash } from "node:crypto";

/**
 * The whole script of a page: copying code, switching between light and dark, and folding the contents where they
 * would push the article out of sight. Without it the page is complete; its controls are then not shown.
 */
export const pageScript = `
for (const button of document.querySelectorAll("button.copy")) {
  if (!navigator.clipboard) break;
  const name = button.closest("figure").querySelector(".code-name").textContent;
  button.hidden = false;
  button.setAttribute("aria-label", "Copy code (" + name.trim() + ")");
  button.addEventListener("click", async () => {
    const code = button.closest("figure").querySelector("pre > code").textContent;
    try {
      await navigator.clipboard.writeText(code);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not copied";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
}
const contents = document.querySelector(".contents details");
if (contents && !matchMedia("(min-width: 68rem)").matches) contents.open = false;
const toggle = document.querySelector("button.theme");
toggle.hidden = false;
toggle.addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});
const openTarget = () => {
  const target = location.hash.startsWith("#ref-") && document.getElementById(location.hash.slice(1));
  const evidence = target && target.querySelector("details");
  if (evidence) evidence.open = true;
};
addEventListener("hashchange", openTarget);
openTarget();
`;

/** The content security policy that lets this script run and nothing else load. */
export function contentSecurityPolicy(): string {
  const hash = createHash("sha256").update(pageScript, "utf8").digest("base64");
  return `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
}
