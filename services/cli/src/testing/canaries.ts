import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isSecretSetting } from "@proofroom/telemetry";

const example = new URL("../../../../.env.example", import.meta.url);

/** Every setting, as .env.example names them. */
export const settingNames: readonly string[] = [
  ...readFileSync(example, "utf8").matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm),
].flatMap(([, name]) => name ?? []);

/** Those that hold a secret: a new one gets its canary by being there. */
export const secretSettings: readonly string[] = settingNames.filter(isSecretSetting);

/** What no other text holds, and every encoding that keeps letters as they are leaves as it is. */
function markOf(setting: string): string {
  return createHash("sha256").update(setting).digest("hex").slice(0, 12);
}

/** The secret of a setting: one of its own, which an address, a form and base64 have otherwise than a header. */
export function canaryOf(setting: string): string {
  return `canary-${markOf(setting)}+q/`;
}

/** A mark in base64, without the characters that what is before and after it has a part in. */
function inBase64(mark: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.from("x".repeat(before) + mark);
    return bytes.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
}

const formsBySetting = new Map(
  secretSettings.map((name) => [name, [markOf(name), ...inBase64(markOf(name))]] as const),
);

/** The settings whose canaries stand in a text: as they are, percent-encoded, or in base64. */
export function canariesIn(text: string): string[] {
  return secretSettings.filter((name) => formsBySetting.get(name)?.some((form) => text.includes(form)));
}

/** A key in the ways in which a careless provider may repeat it. */
export function repeated(key: string): string {
  return `${key} ${encodeURIComponent(key)} ${Buffer.from(`user:${key}`).toString("base64")}`;
}

/** Every file below a folder by its path, each byte a character. */
export async function filesBelow(folder: string): Promise<[path: string, text: string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.map(async (path): Promise<[string, string]> => [path, await readFile(path, "latin1")]),
  );
}
