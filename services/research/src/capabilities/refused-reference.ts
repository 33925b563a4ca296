import type { Failure, GuidelineReferences } from "@proofroom/contracts";
import { refusedTransport } from "../ingest/repository/repository-url.ts";

type Reason = GuidelineReferences["rejected"][number]["reason"];

const messages: Readonly<Record<Reason, string>> = {
  unsupported_scheme: "Only http and https addresses are fetched.",
  invalid_url: "This is not a valid address.",
  credentials_in_url: "The address holds a user name or a password.",
  private_address: "The address is a private one.",
  invalid_video_id: "This is not the address of a single video.",
  traversal: "The path leads out of the guideline's folder.",
  invalid_path: "This is not a valid path.",
  unsupported_file_type: "Files of this type are not read.",
};

const remedies: Partial<Record<Reason, string>> = {
  private_address: "If this is intended, list its host:port in PROOFROOM_ALLOW_HOSTS.",
  unsupported_file_type:
    "Give it as Markdown, text, a PDF, a DOCX, a notebook or code; a folder ends with a slash.",
  credentials_in_url:
    "Take them out. The token for a private repository belongs in a setting, such as GITHUB_TOKEN.",
};

/** A reference of the guideline that was refused before anything was fetched, as an entry of the failure list. */
export function refusedReference(ref: string, reason: Reason): Failure {
  const repository = reason === "unsupported_scheme" ? refusedTransport(ref) : null;
  if (repository !== null) {
    const { code, message, remedy = "" } = repository;
    return { ref, kind: "repository", code, message, remedy };
  }
  const remedy = remedies[reason];
  const local = reason === "traversal" || reason === "invalid_path" || reason === "unsupported_file_type";
  return {
    ref,
    kind: reason === "invalid_video_id" ? "video" : local ? "document" : "web_page",
    code: reason === "private_address" ? "private_address" : "invalid_input",
    message: messages[reason],
    ...(remedy === undefined ? {} : { remedy }),
  };
}
