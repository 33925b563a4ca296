import { gatheredSourceSchema } from "../formats/source.ts";

/** What an ingest job answers: where the source is stored, and what it is. */
export const ingestedSchema = gatheredSourceSchema;
