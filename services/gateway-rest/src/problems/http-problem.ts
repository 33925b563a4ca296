import type { ErrorCode } from "@proofroom/contracts";

/** Conditions that only HTTP has; everything else is a ProofroomError. */
type HttpCode =
  | "unauthorized"
  | "forbidden"
  | "misdirected"
  | "not_found"
  | "method_not_allowed"
  | "precondition_failed"
  | "idempotency_key_reused"
  | "range_not_satisfiable"
  | "unsupported_media_type"
  | "headers_too_large"
  | "invalid_input"
  | "too_large"
  | "quota";

export interface HttpProblemOptions {
  status: number;
  code: HttpCode | ErrorCode;
  /** One line of ours; never a foreign text. */
  detail: string;
  headers?: Readonly<Record<string, string>>;
  /** What is wrong with which part of the input. */
  errors?: readonly { path: string; message: string }[];
}

/** An answer of status 4xx that no code of the product stands for. */
export class HttpProblem extends Error {
  readonly options: HttpProblemOptions;

  constructor(options: HttpProblemOptions) {
    super(options.detail);
    this.name = "HttpProblem";
    this.options = options;
  }
}
