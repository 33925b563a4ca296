import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The models file of the checkout without the limits of its models, in a folder of the bench's own; answers its path. */
export async function unlimitedModels(root: string, folder: string): Promise<string> {
  const text = await readFile(join(root, "infra/models.yaml"), "utf8");
  const path = join(folder, "models.yaml");
  await mkdir(folder, { recursive: true });
  await writeFile(path, text.replace(/^\s+limits: .*\n/gm, ""));
  return path;
}
