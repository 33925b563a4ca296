/** What a model is asked to do. Code names a role; which model answers is the operator's choice. */
export const roles = [
  "transcriber",
  "planner",
  "drafter",
  "critic",
  "repairer",
  "cleaner",
  "selector",
] as const;

export type Role = (typeof roles)[number];

/** The last entry of a cascade that needs no model: the caller does the work deterministically, from evidence. */
export const extractive = "extractive";
