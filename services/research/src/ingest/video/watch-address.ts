import { ProofroomError } from "@proofroom/contracts";
import { classifyUrl } from "@proofroom/evidence";

/**
 * The canonical address of a YouTube video, without its parameters: the form that the provider watches.
 * @throws ProofroomError invalid_input for whatever is not a single video, with the reason
 */
export function watchAddress(url: string): string {
  const known = classifyUrl(url.trim());
  if (typeof known !== "string" && known.class === "youtube_videos_urls") return known.key;
  throw new ProofroomError({
    code: "invalid_input",
    message: `The address is not that of a single YouTube video${whatElse(url)}.`,
    remedy: "Name the video itself, as https://www.youtube.com/watch?v=…",
  });
}

function whatElse(url: string): string {
  const { pathname = "", searchParams } = URL.parse(url.trim()) ?? {};
  if (/^\/(?:@|(?:channel|c|user)\/)/.test(pathname)) return ": it is a channel";
  const isList = pathname.startsWith("/playlist") || pathname === "/embed/videoseries";
  return isList || searchParams?.has("list") ? ": it is a playlist" : "";
}
