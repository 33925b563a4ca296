import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome"];

/**
 * The Chromium that is named, or else the first that lies in the folders of a PATH; null where there is none, where the
 * named one cannot be run, or where `off` is named.
 */
export async function findChromium({
  given,
  searchPath,
}: {
  given: string | undefined;
  searchPath: string;
}): Promise<string | null> {
  if (given === "off") return null;
  const folders = searchPath.split(delimiter).filter(isAbsolute);
  const places =
    given === undefined || !isAbsolute(given)
      ? (given === undefined ? names : [given]).flatMap((name) => folders.map((folder) => join(folder, name)))
      : [given];
  for (const place of places) {
    const isThere = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return place;
  }
  return null;
}
