import { artifactNameSchema, assertArtifactName, ProofroomError, type Uploads } from "@proofroom/contracts";
import { z } from "zod";

/** Local sources that come along with a call: files, and which folders they lie in are sources as a whole. */
export const sourceFilesShape = {
  source_files: z
    .array(
      z
        .object({
          path: z.string().min(1).max(200),
          text: z.string().max(2_000_000).optional(),
          base64: z.string().max(3_000_000).optional().describe("In place of text, such as of a PDF."),
        })
        .strict(),
    )
    .max(200)
    .optional()
    .describe("Local sources, by the paths that the guideline gives them."),
  source_folders: z
    .array(
      z
        .object({
          path: z.string().min(2).max(200).regex(/\/$/, "must end with a slash"),
          commit: z
            .string()
            .regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/)
            .optional()
            .describe("Of a git repository: the commit that the files are of."),
        })
        .strict(),
    )
    .max(20)
    .optional()
    .describe("Which folders of source_files the guideline names as a whole."),
};

type SourceFiles = z.output<z.ZodObject<typeof sourceFilesShape>>;

export interface GivenSources {
  files: { path: string; bytes: Uint8Array }[];
  entries: Uploads["entries"];
}

function invalid(message: string): ProofroomError {
  return new ProofroomError({ code: "invalid_input", message });
}

function bytesOf(file: NonNullable<SourceFiles["source_files"]>[number]): Uint8Array {
  if ((file.text === undefined) === (file.base64 === undefined))
    throw invalid("A source file needs either text or base64.");
  if (file.base64 === undefined) return Buffer.from(file.text ?? "", "utf8");
  const bytes = Buffer.from(file.base64, "base64");
  if (bytes.toString("base64") !== file.base64) throw invalid("The base64 of a source file is not valid.");
  return bytes;
}

/**
 * The files, and what they are to a run: those below a given folder are that one source, every other is one by itself.
 * @throws ProofroomError invalid_input for a path that leads out of the run, that two have, or a folder without files
 */
export function givenSources({ source_files = [], source_folders = [] }: SourceFiles): GivenSources {
  const files = source_files.map((file) => ({ path: assertArtifactName(file.path), bytes: bytesOf(file) }));
  const paths = files.map(({ path }) => path).sort();
  if (new Set(paths).size < paths.length) throw invalid("Two source files have the same path.");
  const left = new Set(paths);
  const folders = source_folders.map(({ path, commit }): Uploads["entries"][number] => {
    if (!artifactNameSchema.safeParse(path.slice(0, -1)).success)
      throw invalid("That is not a folder's path.");
    const within = paths.filter((file) => file.startsWith(path) && left.delete(file));
    if (within.length === 0) throw invalid("There is no source file in one of the source folders.");
    return {
      path,
      kind: commit === undefined ? "folder" : "repository",
      files: within,
      ...(commit === undefined ? {} : { commit }),
    };
  });
  const single = [...left].map((path) => ({ path, kind: "file" as const, files: [path] }));
  return { files, entries: [...folders, ...single] };
}
