/** A value as OpenTelemetry writes it in a setting; one that is no such stays as it is. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
