import { LauncherError } from "../errors.ts";
import { ServiceStartError } from "../process/java-service.ts";
import type { InstanceFolder } from "./instance-folder.ts";

const attempts = 3;

/**
 * Runs a whole start, with new ports each time, again while somebody else takes a port between its choice and its use. An instance that
 * has data of an earlier start is bound to its ports and gets one attempt. Where a start fails, its folder stays for a look at the logs.
 */
export async function withStartAttempts<T>(
  folder: InstanceFolder,
  hasData: boolean,
  start: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start();
    } catch (error) {
      if (error instanceof ServiceStartError && error.bindClash && !hasData && attempt < attempts) {
        await folder.clearData();
        continue;
      }
      // Nobody looks at the logs of a start that its caller gave up or that its options forbade.
      const isQuiet = error instanceof LauncherError && (error.code === "ABORTED" || error.code === "INVALID_OPTION");
      if (isQuiet) await folder.close();
      else folder.leaveBehind();
      throw error;
    }
  }
}
