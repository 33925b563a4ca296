import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { megabyte } from "../testing/bytes.ts";
import { storeConformance } from "../testing/store-conformance.ts";
import { createFsStore } from "./fs-store.ts";

let folder: TempFolder;
storeConformance({
  async open() {
    folder = await makeTempFolder();
    return createFsStore({ root: folder.path });
  },
  clean: () => folder.close(),
  sizes: [5 * megabyte],
  races: true,
});
