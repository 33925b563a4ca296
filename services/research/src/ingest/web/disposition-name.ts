/**
 * The name of a file as a Content-Disposition header gives it, without folders; undefined where it gives none. The
 * extended form (`filename*`, RFC 6266) goes first, as it keeps every letter.
 */
export function dispositionName(header: string): string | undefined {
  const extended = /(?:^|[;\s])filename\*\s*=\s*"?utf-8'[^']*'([^;"\s]+)/i.exec(header)?.[1];
  const [, quoted, bare] = /(?:^|[;\s])filename\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;\s"]+))/i.exec(header) ?? [];
  const name = decoded(extended) ?? quoted?.replaceAll(/\\(.)/g, "$1") ?? bare;
  const last = name?.split(/[/\\]/).at(-1)?.trim();
  return last === "" ? undefined : last;
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
