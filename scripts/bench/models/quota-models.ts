/** One model for every role, of which a provider allows so many requests in a window. */
export function quotaModels(limit: number): string {
  const roles = ["transcriber", "planner", "drafter", "critic", "repairer", "cleaner", "selector"];
  return `
endpoints:
  google: { api: gemini, base_url_setting: GEMINI_BASE_URL, key_setting: GEMINI_API_KEY }
models:
  only: { endpoint: google, model: m, context: 100000, output: 1000, video: true, limits: { requests_per_minute: ${limit} } }
roles:
${roles.map((role) => `  ${role}: [only]`).join("\n")}
`;
}
