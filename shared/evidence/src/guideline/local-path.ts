const FILE_TYPES = new Set(
  "py ipynb md txt rst ts tsx js mjs json yaml yml toml pdf docx html csv go rs java c cpp h sql sh".split(
    " ",
  ),
);

// Names of products that look like files.
const PRODUCT_NAMES = new Set(
  `node.js next.js nuxt.js vue.js react.js angular.js ember.js backbone.js express.js nest.js d3.js three.js p5.js
  chart.js alpine.js moment.js discord.js tensorflow.js transformers.js langchain.js llama.cpp whisper.cpp`.split(
    /\s+/,
  ),
);

const FORBIDDEN = /[\s\p{White_Space}\p{Cc}*?<>|"{}$`]/u;
const DRIVE = /^[A-Za-z]:/;
const ROOTED = /^(?:[/~]|[A-Za-z]:)/;

type PathRejection = "traversal" | "invalid_path" | "unsupported_file_type";

export type PathOutcome = { readonly path: string } | { readonly rejection: PathRejection };

/** Whether a text from running prose has the shape of a path to a file of a supported type. */
export function looksLikeFile(text: string): boolean {
  return (
    hasPathCharacters(text) && isSupportedFile(withSlashes(text)) && !PRODUCT_NAMES.has(text.toLowerCase())
  );
}

/** Whether the content of a code span has the shape of a path to a folder, not of a URL route or of the folder itself. */
export function looksLikeFolder(text: string): boolean {
  const path = withSlashes(text);
  return hasPathCharacters(text) && path.endsWith("/") && !path.startsWith("/") && resolve(path) !== "";
}

/** Normalises a path written in prose, which must look like a file or folder, relative to the guideline's folder. */
export function localPath(text: string): PathOutcome {
  const path = confined(withSlashes(text));
  return path === null ? { rejection: "traversal" } : { path };
}

/** Normalises the relative destination of a link: query and fragment go, percent-encoding is decoded once. */
export function linkedPath(destination: string): PathOutcome {
  const written = withSlashes(percentDecoded(destination.replace(/[?#].*$/s, "")));
  const path = confined(written);
  if (path === null) return { rejection: "traversal" };
  if (/\p{Cc}/u.test(written)) return { rejection: "invalid_path" };
  const isUsable = isSupportedFile(written) || (written.endsWith("/") && path !== "");
  return isUsable ? { path } : { rejection: "unsupported_file_type" };
}

function withSlashes(text: string): string {
  return text.replaceAll("\\", "/");
}

function hasPathCharacters(text: string): boolean {
  return !FORBIDDEN.test(text) && !text.replace(DRIVE, "").includes(":");
}

function isSupportedFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot > 0 && FILE_TYPES.has(name.slice(dot + 1).toLowerCase());
}

/** The path without "." and empty segments and with ".." resolved; null if it leaves the guideline's folder. */
function confined(path: string): string | null {
  if (ROOTED.test(path)) return null;
  const resolved = resolve(path);
  // "./~/x" or "./C:/x" must not turn into a path that starts at another root.
  return resolved === null || ROOTED.test(resolved) ? null : resolved;
}

function resolve(path: string): string | null {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") {
      if (segments.pop() === undefined) return null;
    } else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  const isFolder = path.endsWith("/") && segments.length > 0;
  return segments.join("/") + (isFolder ? "/" : "");
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
