import { extractGuidelinesUrls, guidelineReferencesSchema } from "@proofroom/contracts";
import { describe, expect, test } from "vitest";
import { createExtractGuidelinesUrls } from "./extract-guidelines-urls.ts";
import { FakeStepContext } from "./fake-step-context.ts";

async function extracted(guideline: string, ...allowed: string[]) {
  const context = new FakeStepContext(extractGuidelinesUrls, {
    stored: { "article_guideline.md": guideline },
  });
  const output = await createExtractGuidelinesUrls({
    allowHosts: new Set(allowed),
    git: { hosts: ["gitlab.internal"] },
  })({}, context);
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

  test("private addresses that may be fetched are sources, the others stay refused", async () => {
    const guideline =
      "# T\n\n- <http://wiki.internal/a>\n- <http://127.0.0.1:81/b?x=1>\n- <http://127.0.0.1:81/o/r.git/tree/v1>\n- <http://127.0.0.1:82/c>\n";
    const { references } = await extracted(guideline, "wiki.internal:80", "127.0.0.1:81");
    expect(references).toMatchObject({
      git_urls: ["http://127.0.0.1:81/o/r.git/tree/v1"],
      other_urls: ["http://wiki.internal/a", "http://127.0.0.1:81/b?x=1"],
      rejected: [{ ref: "http://127.0.0.1:82/c", reason: "private_address" }],
    });
  });

  test("addresses on a git server of one's own are repositories, where it may be fetched", async () => {
    const guideline =
      "# T\n\n- <https://gitlab.internal/g/s/r/-/tree/main/docs>\n- <https://gitlab.internal/g/r/-/issues/3>\n";
    const { references } = await extracted(guideline, "gitlab.internal:443");
    expect(references).toMatchObject({
      git_urls: ["https://gitlab.internal/g/s/r/-/tree/main/docs"],
      other_urls: ["https://gitlab.internal/g/r/-/issues/3"],
      rejected: [],
    });
    expect((await extracted(guideline)).references.rejected).toHaveLength(2);
  });

  test("an empty guideline has no sources, which is no error", async () => {
    const { output, references } = await extracted("");
    expect(output).toMatchObject({ github_urls: 0, other_urls: 0, local_file_paths: 0, rejected: [] });
    expect(references.github_urls).toEqual([]);
  });
});
