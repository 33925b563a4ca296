import { describe, expect, it } from "vitest";
import { resolveFolders } from "./resolve-folders.ts";

const places = { cwd: "/user", checkout: "/checkout" };

describe("folders that settings name", () => {
  it("by default are the checkout's, wherever the user stands", () => {
    expect(resolveFolders({ home: ".proofroom", store: undefined }, { PROOFROOM_HOME: "" }, places)).toEqual({
      cwd: "/user",
      home: "/checkout/.proofroom",
      store: { kind: "file", folder: "/checkout/.proofroom" },
    });
  });

  it("that a user gives are meant from where they stand, or npm was started for them", () => {
    const store = { kind: "file", folder: "rooms" } as const;
    const env = { PROOFROOM_HOME: "data", INIT_CWD: "/npm" };
    expect(resolveFolders({ home: "data", store }, env, places)).toEqual({
      cwd: "/npm",
      home: "/npm/data",
      store: { kind: "file", folder: "/npm/rooms" },
    });
  });

  it("that are absolute, or a bucket, stay as they are", () => {
    const bucket = { kind: "s3", bucket: "runs", prefix: "" } as const;
    const given = { home: "/srv/home", store: bucket };
    expect(resolveFolders(given, { PROOFROOM_HOME: "/srv/home" }, places)).toMatchObject(given);
    const folder = { kind: "file", folder: "/srv/store" } as const;
    expect(resolveFolders({ home: ".proofroom", store: folder }, {}, places).store).toEqual(folder);
  });
});
