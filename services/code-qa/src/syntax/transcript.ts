/** Whether a block shows an interactive session: all of pycon, and Python whose first line of text has the prompt. */
export function isTranscript(language: string | null, code: string): boolean {
  if (language === "pycon") return true;
  if (language !== "python") return false;
  const first = code.split("\n").find((line) => line.trim() !== "");
  return first?.trimStart().startsWith(">>>") ?? false;
}
