import { stat } from "node:fs/promises";
import { join } from "node:path";

/** A name in backticks or double quotes, or alone in a list item: what would name a source if it ended with a slash. */
const named = /`([^`\n]{1,200})`|"([^"\n]{1,200})"|^[ \t]*[-*+][ \t]+([^\s`"]{1,200})[ \t]*$/gm;
/** More of them are not looked at. */
const most = 200;

/**
 * Folders beside a guideline that it names without the slash at the end that makes a folder a source: whoever wrote them may
 * think that they are one.
 * @param within the guideline's folder
 */
export async function foldersWithoutSlash(text: string, within: string): Promise<string[]> {
  const names = new Set(
    [...text.matchAll(named)]
      .map(([, ...groups]) => groups.find((group) => group !== undefined) ?? "")
      .filter((name) => /^[\w.][\w./ -]*[\w-]$/.test(name) && !name.split("/").includes("..")),
  );
  const found: string[] = [];
  for (const name of [...names].slice(0, most)) {
    const facts = await stat(join(within, name)).catch(() => null);
    // What is named with its slash elsewhere is a source already.
    if (facts?.isDirectory() === true && !text.includes(`${name}/`)) found.push(name);
  }
  return found;
}
