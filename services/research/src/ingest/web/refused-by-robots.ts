import { ProofroomError } from "@proofroom/contracts";

/** Characters of an address that a message names. */
const longestAddress = 300;
/** What to do about pages that robots.txt keeps programs from. */
export const refusedRemedy =
  "Ask the site's owner, or open the page in a browser and give its text as a local file. PROOFROOM_ROBOTS=off is for sites of your own.";

/** The error of a page that the site's robots.txt keeps programs from. The page is named without its query, which may hold secrets. */
export function refusedByRobots(address: string): ProofroomError {
  const { origin, pathname } = new URL(address);
  const page = `${origin}${pathname}`;
  const named = page.length > longestAddress ? `${page.slice(0, longestAddress)}…` : page;
  return new ProofroomError({
    code: "refused",
    message: `The page ${named} is one that the site's robots.txt asks programs not to fetch.`,
    remedy: refusedRemedy,
  });
}
