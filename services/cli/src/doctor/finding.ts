/** What was found of one thing that Proofroom needs or can use. */
export interface Finding {
  name: string;
  state: "ok" | "missing" | "optional";
  what: string;
  fix?: string;
}
