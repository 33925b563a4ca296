/** Whether a file is what git holds in place of one that lies elsewhere. */
export function isLfsPointer(content: string): boolean {
  return content.startsWith("version https://git-lfs.github.com/spec/");
}
