/** The path of an artifact at this gateway. */
export function artifactAddress(runId: string, name: string): string {
  return `/v1/runs/${runId}/artifacts/${name.split("/").map(encodeURIComponent).join("/")}`;
}
