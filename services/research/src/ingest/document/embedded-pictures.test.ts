import { describe, expect, test } from "vitest";
import { withoutPictures } from "./embedded-pictures.ts";

describe("pictures in a notebook's Markdown", () => {
  test("are taken out, and links to others are not", () => {
    const source =
      '![plot](attachment:a (1).png) <img width=3 src="data:image/png;base64,AA"> ![here](b.png) <img src="c.png">';
    expect(withoutPictures(source)).toEqual({
      text: 'plot.png)  ![here](b.png) <img src="c.png">',
      dropped: 2,
    });
  });

  test.each([
    ["pictures", "!["],
    ["attachments", "![](data:"],
    ["images", "<img src='data:"],
  ])("a megabyte of %s that never end is no work of minutes", (_name, piece) => {
    const source = piece.repeat(1_000_000 / piece.length);
    expect(withoutPictures(source)).toEqual({ text: source, dropped: 0 });
  });
});
