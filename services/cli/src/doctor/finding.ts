/** What was found of one thing that Proofroom needs or can use. */
export interface Finding {
  name: string;
  state: "ok" | "missing" | "optional";
  what: string;
  fix?: string;
}

/** A setting that has a default. */
export function withDefaultFinding(name: string, given: ReadonlySet<string>): Finding {
  return given.has(name)
    ? { name, state: "ok", what: "set" }
    : { name, state: "optional", what: "not set; its default counts (.env.example)" };
}
