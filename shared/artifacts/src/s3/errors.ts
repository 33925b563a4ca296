import { type Disposition, type ErrorCode, isProofroomError, ProofroomError } from "@proofroom/contracts";
import { keyInTheWay, notFound } from "../failures.ts";

/** What is read of an error of the SDK; of its classes only the shape is stable. */
interface S3Failure {
  name?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number; attempts?: number };
}

interface Meaning {
  code: ErrorCode;
  message: string;
  remedy: string;
  disposition?: Disposition;
}

const fail: Disposition = { kind: "fail" };

const credentials: Meaning = {
  code: "dependency_down",
  message: "The object server refused the credentials.",
  remedy:
    "Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that they may read, write and list the bucket and abort uploads in parts.",
  disposition: fail,
};
const region: Meaning = {
  code: "not_configured",
  message: "The bucket lies in another region.",
  remedy: "Set AWS_REGION to the bucket's region, or S3_ENDPOINT to the server that has it.",
};
const full: Meaning = {
  code: "dependency_down",
  message: "The object server has no space left.",
  remedy: "Free some space on it, then resume the run.",
  disposition: fail,
};
const noCredentials: Meaning = {
  code: "not_configured",
  message: "There are no credentials for the object server.",
  remedy: "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
};
const away: Meaning = {
  code: "dependency_down",
  message: "The object server cannot be reached or does not answer.",
  remedy: "Check S3_ENDPOINT and that the server runs.",
};
const refused: Meaning = {
  code: "dependency_down",
  message: "The object server refused the request.",
  remedy: "Check that it is an S3 server, and its logs.",
  disposition: fail,
};

const noBucket: Meaning = {
  code: "not_configured",
  message: "There is no such bucket.",
  remedy: "Create it, or correct PROOFROOM_STORE.",
};

/** By the error's code, of AWS and of MinIO (`XMinio…`). */
const meanings: Readonly<Record<string, Meaning>> = {
  NoSuchBucket: noBucket,
  AccessDenied: credentials,
  Forbidden: credentials,
  InvalidAccessKeyId: credentials,
  SignatureDoesNotMatch: credentials,
  AccountProblem: credentials,
  InvalidToken: credentials,
  ExpiredToken: { ...credentials, disposition: { kind: "retry" } },
  RequestTimeTooSkewed: {
    code: "dependency_down",
    message: "The clock of this machine differs too much from the object server's.",
    remedy: "Set the clock.",
    disposition: fail,
  },
  CredentialsProviderError: noCredentials,
  PermanentRedirect: region,
  AuthorizationHeaderMalformed: region,
  IllegalLocationConstraintException: region,
  EntityTooLarge: {
    code: "too_large",
    message: "The object is larger than the object server takes.",
    remedy: "Make it smaller.",
  },
  KeyTooLongError: {
    code: "invalid_input",
    message: "The name of the object is too long.",
    remedy: "Choose a shorter one.",
  },
  XMinioInvalidObjectName: {
    code: "invalid_input",
    message: "The object server does not take this name of an object.",
    remedy: "Choose another.",
  },
  QuotaExceeded: full,
  XMinioAdminBucketQuotaExceeded: full,
  XMinioStorageFull: full,
};

/** MinIO keeps objects as files: as in a folder, `a` and `a/b` cannot both be. */
const inTheWay: ReadonlySet<string> = new Set(["XMinioParentIsObject", "XMinioObjectExistsAsDirectory"]);

export function statusOf(error: unknown): number | undefined {
  return (error as S3Failure | null)?.$metadata?.httpStatusCode;
}

export function isS3Error(error: unknown, ...names: string[]): boolean {
  const name = (error as S3Failure | null)?.name;
  return name !== undefined && names.includes(name);
}

function meaningOf(error: S3Failure): Meaning {
  const known = meanings[error.name ?? ""];
  if (known !== undefined) return known;
  if (error instanceof Error && /^Region is missing/.test(error.message)) {
    return { ...region, message: "The region of the bucket is not known." };
  }
  const status = statusOf(error);
  if (status === 501) return refused;
  if (status === undefined || status === 408 || status === 429 || status >= 500) return away;
  return status === 401 || status === 403 ? credentials : refused;
}

/** The answer to a look at the bucket itself has no body that could say so. */
export function noSuchBucket(cause: unknown): ProofroomError {
  return new ProofroomError({ ...noBucket, cause });
}

/** What a failed request means to a user of the store. A 404 without a word is a missing object. */
export function fromS3(error: unknown): unknown {
  if (isProofroomError(error)) return error;
  const failure = error as S3Failure;
  if (isS3Error(error, "NoSuchKey", "NotFound")) return notFound(error);
  if (inTheWay.has(failure.name ?? "")) return keyInTheWay(error);
  const known = meaningOf(failure);
  // A programming error has neither a status nor the code of a system error: it is not the server's.
  const foreign =
    error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  if (known === away && foreign && failure.code === undefined) return error;
  return new ProofroomError({ ...known, cause: error });
}
