import { plainWords } from "./plain-words.ts";

/** Ids of SPDX that are taken as such wherever a licence is named, as they are spelt. */
const spdxIds = [
  ..."0BSD AFL-3.0 AGPL-3.0 AGPL-3.0-only AGPL-3.0-or-later Apache-2.0 Artistic-2.0 BSD-2-Clause BSD-3-Clause BSL-1.0".split(
    " ",
  ),
  ..."CC0-1.0 CDLA-Permissive-2.0 EPL-2.0 EUPL-1.2 GFDL-1.3 GPL-2.0 GPL-2.0-only GPL-2.0-or-later GPL-3.0".split(
    " ",
  ),
  ..."GPL-3.0-only GPL-3.0-or-later ISC LGPL-2.1 LGPL-2.1-only LGPL-2.1-or-later LGPL-3.0 LGPL-3.0-only".split(
    " ",
  ),
  ..."LGPL-3.0-or-later MIT MIT-0 MPL-2.0 MS-PL ODbL-1.0 OFL-1.1 PostgreSQL PSF-2.0 Unlicense WTFPL Zlib".split(
    " ",
  ),
  ...["BY", "BY-SA", "BY-NC", "BY-NC-SA", "BY-ND", "BY-NC-ND"].flatMap((kind) =>
    ["1.0", "2.0", "2.5", "3.0", "4.0"].map((version) => `CC-${kind}-${version}`),
  ),
];
const idOf = new Map(spdxIds.map((id) => [id.toLowerCase(), id]));

/** The SPDX id that an address of a licence stands for; null where that is not certain. */
export function licenceOfAddress(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const host = url.hostname.replace(/^www\./, "");
  const path = url.pathname.toLowerCase().replace(/\/+$/, "");
  if (host === "creativecommons.org") return creativeCommons(path);
  const named = namedPath[host]?.exec(path)?.[1];
  if (named !== undefined) return idOf.get(named) ?? null;
  return fixed.get(`${host}${path}`) ?? null;
}

/** What lies at the address of a licence of Creative Commons; those adapted to one country are others. */
function creativeCommons(path: string): string | null {
  if (/^\/publicdomain\/zero\/1\.0(?:\/(?:deed|legalcode)[^/]*)?$/.test(path)) return "CC0-1.0";
  const [, kind, version] =
    /^\/licenses\/([a-z-]+)\/(\d\.\d)(?:\/(?:deed|legalcode)[^/]*)?$/.exec(path) ?? [];
  return idOf.get(`cc-${kind}-${version}`) ?? null;
}

const namedPath: Readonly<Record<string, RegExp>> = {
  "spdx.org": /^\/licenses\/([\w.+-]+?)(?:\.(?:html|json|txt))?$/,
  "opensource.org": /^\/licenses?\/([\w.+-]+?)(?:\.php|\.html)?$/,
  "choosealicense.com": /^\/licenses\/([\w.+-]+)$/,
};

const fixed: ReadonlyMap<string, string> = new Map([
  ["apache.org/licenses/license-2.0", "Apache-2.0"],
  ["apache.org/licenses/license-2.0.html", "Apache-2.0"],
  ["apache.org/licenses/license-2.0.txt", "Apache-2.0"],
  ["mozilla.org/en-us/mpl/2.0", "MPL-2.0"],
  ["mozilla.org/mpl/2.0", "MPL-2.0"],
  ["unlicense.org", "Unlicense"],
  ["opendatacommons.org/licenses/odbl/1-0", "ODbL-1.0"],
]);

/** The SPDX id of a licence that a text names and nothing else; null where that is not certain. */
export function licenceOfName(text: string): string | null {
  const plain = plainWords(text).replace(/^(?:the|licen[cs]ed? under(?: the| a)?)\s+/i, "");
  const name = plain.replace(/\s+licen[cs]e\.?$/i, "");
  const known = idOf.get(plain.toLowerCase()) ?? idOf.get(name.toLowerCase());
  if (known !== undefined) return known;
  if (/^apache(?: licen[cs]e)?,?(?: version| v\.?)? ?2(?:\.0)?$/i.test(name)) return "Apache-2.0";
  if (/^cc0(?: 1\.0)?(?: universal)?$/i.test(name)) return "CC0-1.0";
  const [, short, at] =
    /^cc[ -](by(?:[ -]n[cd])?(?:[ -]nd)?(?:[ -]sa)?)[ -](\d\.\d)(?: international)?$/i.exec(name) ?? [];
  if (short !== undefined) return idOf.get(`cc-${short.toLowerCase().replaceAll(" ", "-")}-${at}`) ?? null;
  const [, long = "", version] =
    /^creative commons (attribution(?:-\w+)*) (\d\.\d)(?: (?:international|unported|generic))?$/i.exec(
      name,
    ) ?? [];
  const kind = long
    .toLowerCase()
    .replace("attribution", "by")
    .replace("noncommercial", "nc")
    .replace(/noderiv(?:ative)?s/, "nd")
    .replace("sharealike", "sa");
  return idOf.get(`cc-${kind}-${version}`) ?? null;
}

/** A licence as a source states it, by name, by address or both: the SPDX id where that is certain, else its words. */
export function statedLicence(stated: { words?: string | undefined; address?: string | undefined }): {
  licence?: string;
  licence_url?: string;
} {
  const address = stated.address?.trim() ?? "";
  const words = plainWords(stated.words ?? "");
  const url = URL.parse(address);
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.href.length <= 500;
  const name = licenceOfAddress(address) ?? licenceOfName(words) ?? (words === "" ? undefined : words);
  const licence = name ?? (isAddress ? plainWords(url.href) : undefined);
  return {
    ...(licence === undefined ? {} : { licence }),
    ...(isAddress ? { licence_url: url.href } : {}),
  };
}
