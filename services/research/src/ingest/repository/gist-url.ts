const hosts = new Set(["gist.github.com", "gist.githubusercontent.com"]);

/** Old ones are numbered. */
const id = /^(?:[0-9a-f]{20,32}|\d{1,10})(?:\.git)?$/;
const revision = /^[0-9a-f]{40}$/;

export function isGistHost(host: string): boolean {
  return hosts.has(host);
}

/** `/USER/ID`, `/ID`, `/USER/ID/REVISION`, `/USER/ID/raw/FILE`, `/USER/ID/raw/REVISION/FILE`. */
export function gistParts(segments: readonly string[]): { repository: string[]; rest: string[] } {
  const at = [1, 0].find((index) => id.test(segments[index] ?? ""));
  if (at === undefined) return { repository: [], rest: [] };
  const repository = segments.slice(at, at + 1);
  const behind = segments.slice(at + 1);
  const isRaw = behind[0] === "raw";
  const [first = "", ...file] = isRaw ? behind.slice(1) : behind;
  if (revision.test(first)) return { repository, rest: [first, ...file] };
  return { repository, rest: isRaw && first !== "" ? ["HEAD", first, ...file] : [] };
}
