/** What was found of one thing that Proofroom needs or can use. */
export interface Finding {
  name: string;
  state: "ok" | "missing" | "optional";
  what: string;
  fix?: string;
}

/**
 * A setting that has a default.
 * @param value what counts, where it can be shown: no secret can
 */
export function withDefaultFinding(name: string, given: ReadonlySet<string>, value?: string): Finding {
  if (given.has(name)) return { name, state: "ok", what: value ?? "set" };
  const what = value === undefined ? "not set; its default counts (.env.example)" : `${value}, by default`;
  return { name, state: "optional", what };
}
