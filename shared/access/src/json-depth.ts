const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = Buffer.from('"\\[]{}');

/** Whether JSON has objects and arrays within each other beyond the limit; told without parsing it. */
export function nestsDeeper(json: Uint8Array, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (inString) {
      if (byte === backslash) at += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === openBracket || byte === openBrace) {
      depth += 1;
      if (depth > limit) return true;
    } else if (byte === closeBracket || byte === closeBrace) depth -= 1;
  }
  return false;
}
