import { Deadline, type WaitOptions } from "./deadline.ts";
import { classArchive } from "./distribution/class-archive.ts";
import { type ProgressListener, resolveClassPath } from "./distribution/class-path.ts";
import { findJava, type Java } from "./requirements/find-java.ts";
import { runTraining } from "./standalone/training-run.ts";

/** What is needed to start any part of Apache Pulsar. */
export interface Distribution {
  readonly java: Java;
  readonly classPath: string;
  readonly classArchive: string | undefined;
}

/** Options of {@link prepare}, part of the options of every start. */
export interface PrepareOptions extends WaitOptions {
  /** Receives a line about each longer step. Default: lines go to standard error with a prefix. */
  readonly onProgress?: ProgressListener | undefined;
  /** Use an archive of loaded classes, made once in about 30 s, which halves the time of every start. Default: true. */
  readonly useClassArchive?: boolean | undefined;
}

const prepareTimeoutMs = 15 * 60_000;

/**
 * Checks Java, resolves Apache Pulsar by Maven and makes the class archive; all but the check is done once per machine.
 * Default of `timeoutMs`: 15 minutes. Throws `REQUIREMENT_MISSING` and `RESOLVE_FAILED`.
 */
export async function prepare(options: PrepareOptions = {}): Promise<Distribution> {
  const deadline = new Deadline("the preparation of Apache Pulsar", options, prepareTimeoutMs);
  const onProgress = options.onProgress ?? reportOnStandardError;
  const java = await findJava(deadline);
  const classPath = await resolveClassPath(deadline, onProgress);
  if (options.useClassArchive === false) return { java, classPath, classArchive: undefined };
  const train = async (folder: string, jvmArgument: string, wait: WaitOptions): Promise<void> => {
    await runTraining({ java, classPath, classArchive: undefined }, folder, jvmArgument, wait);
  };
  return { java, classPath, classArchive: await classArchive(java.build, classPath, deadline, onProgress, train) };
}

function reportOnStandardError(line: string): void {
  process.stderr.write(`apache-pulsar: ${line}\n`);
}
