import { extractGuidelinesUrls, guidelineReferencesSchema } from "@proofroom/contracts";
import { describe, expect, test } from "vitest";
import { handleExtractGuidelinesUrls } from "./extract-guidelines-urls.ts";
import { FakeStepContext } from "./fake-step-context.ts";

async function extracted(guideline: string) {
  const context = new FakeStepContext(extractGuidelinesUrls, {
    stored: { "article_guideline.md": guideline },
  });
  const output = await handleExtractGuidelinesUrls({}, context);
  const written = JSON.parse(context.stored.get(output.artifact) ?? "");
  return { output, references: guidelineReferencesSchema.parse(written) };
}

describe("extract_guidelines_urls", () => {
  test("counts the sources by kind, lists what was refused, and stores the references", async () => {
    const { output, references } = await extracted(
      "# T\n\n- <https://github.com/o/r>\n- <https://youtu.be/dQw4w9WgXcQ>\n- <https://x.dev/d>\n- <http://127.0.0.1/>\n- `a.py`\n- <https://git.x.dev/o/r.git>\n",
    );
    expect(output).toEqual({
      github_urls: 1,
      git_urls: 1,
      youtube_videos_urls: 1,
      other_urls: 1,
      local_file_paths: 1,
      rejected: [{ ref: "http://127.0.0.1/", reason: "private_address" }],
      artifact: ".nova/guidelines_filenames.json",
    });
    expect(references.other_urls).toEqual(["https://x.dev/d"]);
  });

  test("an empty guideline has no sources, which is no error", async () => {
    const { output, references } = await extracted("");
    expect(output).toMatchObject({ github_urls: 0, other_urls: 0, local_file_paths: 0, rejected: [] });
    expect(references.github_urls).toEqual([]);
  });
});
