import { isProofroomError, ProofroomError } from "@proofroom/contracts";
import { notFound } from "../failures.ts";

export function isErrno(error: unknown, ...codes: string[]): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code !== undefined && codes.includes(code);
}

/** What a failed file operation means to a user of the store. */
export function fromErrno(error: unknown): unknown {
  if (isProofroomError(error)) return error;
  if (isErrno(error, "ENOENT", "ENOTDIR", "EISDIR")) return notFound(error);
  if (isErrno(error, "ENOSPC", "EDQUOT", "EFBIG")) {
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
      message: "The folder that holds the runs cannot be read or written.",
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
  // Of a file operation: EIO, EMFILE and their like, which may pass.
  if (typeof (error as NodeJS.ErrnoException | null)?.syscall === "string") {
    return new ProofroomError({
      code: "dependency_down",
      message: "The folder that holds the runs does not work as it should.",
      remedy: "Check the disk that it is on.",
      cause: error,
    });
  }
  return error;
}
