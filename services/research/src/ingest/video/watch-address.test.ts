import { describe, expect, it } from "vitest";
import { watchAddress } from "./watch-address.ts";

const canonical = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";

describe("the address of a video", () => {
  it.each([
    canonical,
    "https://youtube.com/watch?v=dQw4w9WgXcQ&t=90s&list=PL123&index=2",
    "https://m.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ",
    "https://youtu.be/dQw4w9WgXcQ?si=abc&t=5",
    "https://www.youtube.com/shorts/dQw4w9WgXcQ",
    "https://www.youtube.com/live/dQw4w9WgXcQ?feature=share",
    "https://www.youtube.com/embed/dQw4w9WgXcQ?start=3",
    "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
  ])("is the same whatever its form: %s", (url) => {
    expect(watchAddress(url)).toBe(canonical);
  });

  it.each([
    ["https://www.youtube.com/playlist?list=PLabc", "playlist"],
    ["https://www.youtube.com/embed/videoseries?list=PLabc", "playlist"],
    ["https://www.youtube.com/@someone", "channel"],
    ["https://www.youtube.com/channel/UCabc/videos", "channel"],
    ["https://vimeo.com/1", "not that of a single YouTube video"],
    ["https://www.youtube.com.evil.example/watch?v=dQw4w9WgXcQ", "not that of a single YouTube video"],
    ["file:///etc/passwd", "not that of a single YouTube video"],
  ])("is refused where it is none, with the reason: %s", (url, reason) => {
    expect(() => watchAddress(url)).toThrow(
      expect.objectContaining({ code: "invalid_input", message: expect.stringContaining(reason) }),
    );
  });
});
