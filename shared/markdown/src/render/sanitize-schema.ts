import type { Options as Schema } from "rehype-sanitize";

/**
 * What may stand in a published article, whatever HTML its author wrote: text-level and block elements without
 * styles, scripts, forms, frames, names or ids of their own. Images are data: URIs by then; links are checked again
 * by `tidyLinks`.
 *
 * @param fenceMark value pattern of the attribute that ties a code element to its block; a secret of the rendering,
 * so that raw HTML cannot claim to be a block that was run
 */
export function articleSchema(fenceMark: RegExp): Schema {
  return {
    tagNames: [
      ..."a abbr b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img input ins kbd".split(
        " ",
      ),
      ..."li mark ol p pre q rp rt ruby s samp section small span strong sub summary sup table tbody td".split(
        " ",
      ),
      ..."tfoot th thead time tr ul var".split(" "),
    ],
    attributes: {
      "*": ["title", "dir", "lang", ["id", /^user-content-fn/, "footnote-label"]],
      a: [
        "href",
        "dataFootnoteBackref",
        "dataFootnoteRef",
        "ariaDescribedBy",
        "ariaLabel",
        ["className", "data-footnote-backref"],
      ],
      code: [
        ["className", /^language-./, "math-inline", "math-display"],
        ["dataFence", fenceMark],
      ],
      details: ["open"],
      h2: [["className", "sr-only"]],
      img: ["src", "alt", "width", "height"],
      input: [["disabled", true], ["type", "checkbox"], "checked"],
      li: ["value", ["className", "task-list-item"]],
      ol: ["start", "reversed", ["className", "contains-task-list"]],
      section: ["dataFootnotes", ["className", "footnotes"]],
      td: ["align", "colSpan", "rowSpan"],
      th: ["align", "colSpan", "rowSpan", "scope"],
      time: ["dateTime"],
      ul: [["className", "contains-task-list"]],
    },
    ancestors: {
      li: ["ol", "ul"],
      summary: ["details"],
      tbody: ["table"],
      td: ["table"],
      th: ["table"],
      thead: ["table"],
      tfoot: ["table"],
      tr: ["table"],
    },
    protocols: { href: ["http", "https", "mailto"], src: ["data"] },
    required: { input: { disabled: true, type: "checkbox" } },
    strip: [
      "script",
      "style",
      "svg",
      "math",
      "iframe",
      "object",
      "template",
      "noscript",
      "title",
      "textarea",
      "select",
    ],
    // Footnotes carry their prefix already; with one here too their links would lead nowhere.
    clobberPrefix: "",
    clobber: [],
  };
}
