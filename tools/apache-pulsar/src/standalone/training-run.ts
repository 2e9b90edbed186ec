import type { WaitOptions } from "../deadline.ts";
import type { Distribution } from "../prepare.ts";
import { choosePorts } from "../process/free-ports.ts";
import { createStandaloneService } from "./standalone-service.ts";

/** Starts a standalone broker with one more JVM argument, waits until it is usable and ends it in an orderly way. */
export async function runTraining(
  distribution: Distribution,
  folder: string,
  jvmArgument: string,
  wait: WaitOptions,
): Promise<void> {
  const service = await createStandaloneService({
    distribution,
    folder,
    ports: await choosePorts({ binary: 0, http: 0, bookie: 0 }),
    security: {
      tls: undefined,
      requireClientCertificate: false,
      authenticateByCertificate: false,
      tokenSecret: undefined,
      authorization: false,
    },
    settings: {},
    heapMb: 768,
    directMemoryMb: 512,
    jvmArgs: [jvmArgument],
  });
  await service.start(wait);
  await service.stop();
}
