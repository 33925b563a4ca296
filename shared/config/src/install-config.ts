import { z } from "zod";
import { flag } from "./flag.ts";

/** Whether system packages may be installed. */
export const installConfig = z
  .object({ PROOFROOM_NO_INSTALL: flag })
  .transform((env) => ({ allowInstall: !env.PROOFROOM_NO_INSTALL }));
