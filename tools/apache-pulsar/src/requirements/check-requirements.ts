import { Deadline, type WaitOptions } from "../deadline.ts";
import { cachedClassPath } from "../distribution/class-path.ts";
import { findJava } from "./find-java.ts";
import { findMaven } from "./find-maven.ts";

/** One thing that is needed: there, with what was found, or missing, with the reason. */
export type Requirement =
  | { readonly kind: "found"; readonly version: string }
  | { readonly kind: "missing"; readonly reason: string };

/** What this machine has of what a start needs. */
export interface Requirements {
  /** True where a start would find all it needs. */
  readonly ok: boolean;
  readonly java: Requirement;
  /** Needed only while `isResolved` is false. */
  readonly maven: Requirement;
  /** True where Apache Pulsar is there already: nothing will be downloaded. */
  readonly isResolved: boolean;
  /** Why a start would fail; empty where `ok`. */
  readonly problems: readonly string[];
}

/** Tells what is missing for a start, and why, without throwing, downloading or starting anything. Default of `timeoutMs`: 60 000. */
export async function checkRequirements(options: WaitOptions = {}): Promise<Requirements> {
  const deadline = new Deadline("the check of Java and Maven", options, 60_000);
  const [java, maven, classPath] = await Promise.all([
    settle(findJava(deadline)),
    settle(findMaven(deadline)),
    cachedClassPath(),
  ]);
  const isResolved = classPath !== undefined;
  const problems = [java, ...(isResolved ? [] : [maven])].flatMap((item) =>
    item.kind === "missing" ? [item.reason] : [],
  );
  return { ok: problems.length === 0, java, maven, isResolved, problems };
}

async function settle(finding: Promise<{ readonly version: string }>): Promise<Requirement> {
  try {
    return { kind: "found", version: (await finding).version };
  } catch (error) {
    return { kind: "missing", reason: error instanceof Error ? error.message : String(error) };
  }
}
