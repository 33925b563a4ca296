/** The writer that works without a model. */
export const extractive = "extractive";
