import { isProofroomError, ProofroomError } from "@proofroom/contracts";

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}

export function isErrno(error: unknown, ...codes: string[]): boolean {
  const code = codeOf(error);
  return code !== undefined && codes.includes(code);
}

/** What a failed file operation means to a user of the store. */
export function fromErrno(error: unknown): unknown {
  if (isProofroomError(error)) return error;
  if (isErrno(error, "ENOENT", "ENOTDIR", "EISDIR")) {
    return new ProofroomError({
      code: "not_found",
      message: "There is no such object in the store.",
      cause: error,
    });
  }
  if (isErrno(error, "ENOSPC", "EDQUOT")) {
    return new ProofroomError({
      code: "dependency_down",
      message: "The disk that holds the runs is full.",
      remedy: "Free some space, then resume the run.",
      disposition: { kind: "fail" },
      cause: error,
    });
  }
  if (isErrno(error, "EACCES", "EPERM", "EROFS")) {
    return new ProofroomError({
      code: "dependency_down",
      message: "The folder that holds the runs cannot be written.",
      remedy: "Check its permissions, or choose another with PROOFROOM_HOME or PROOFROOM_STORE.",
      disposition: { kind: "fail" },
      cause: error,
    });
  }
  if (isErrno(error, "ENAMETOOLONG")) {
    return new ProofroomError({
      code: "invalid_input",
      message: "The name of the object is too long.",
      cause: error,
    });
  }
  return error;
}
