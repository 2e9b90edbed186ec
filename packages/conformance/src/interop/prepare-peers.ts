import { join } from "node:path";
import { isStrict, report } from "../run/strict-mode.ts";
import { builtOnce, interopFolder, type PeerCommand, run } from "./peer-build.ts";

/** The other clients that messages are exchanged with. */
export type PeerName = "java" | "python" | "go";

/** A peer as the global setup found it. */
export type PeerState =
  | { readonly kind: "ready"; readonly name: PeerName; readonly program: PeerCommand }
  | { readonly kind: "missing"; readonly name: PeerName; readonly reason: string };

declare module "vitest" {
  // The names under which the global setup hands values to the test files.
  interface ProvidedContext {
    readonly peers: readonly PeerState[];
  }
}

const builders: Readonly<Record<PeerName, () => Promise<PeerCommand>>> = {
  java: buildJava,
  python: buildPython,
  go: buildGo,
};

/** Builds each peer once per machine. One that cannot be built is skipped with the reason, or fails a strict run. */
export async function preparePeers(): Promise<readonly PeerState[]> {
  const states: PeerState[] = [];
  for (const name of Object.keys(builders) as PeerName[]) {
    try {
      states.push({ kind: "ready", name, program: await builders[name]() });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (isStrict()) throw new Error(`the ${name} peer cannot be built: ${reason}`, { cause: error });
      report(`the exchange with the ${name} client is skipped: ${reason}`);
      states.push({ kind: "missing", name, reason: reason.split("\n", 1)[0] ?? "" });
    }
  }
  return states;
}

/** All peers as missing for one reason. */
export function missingPeers(reason: string): readonly PeerState[] {
  return (Object.keys(builders) as PeerName[]).map((name) => ({ kind: "missing", name, reason }));
}

async function buildJava(): Promise<PeerCommand> {
  const home = process.env["JAVA_HOME"];
  const java = home ? join(home, "bin", "java") : "java";
  const sources = ["java/pom.xml", "java/src/main/java/Peer.java"];
  const folder = await builtOnce("java", sources, async (target) => {
    const pom = join(interopFolder, "java", "pom.xml");
    const goals = ["compile", "dependency:copy-dependencies"];
    await run("mvn", ["-q", "-B", "-f", pom, `-Dpeer.build=${target}`, ...goals], target);
  });
  const classPath = [join(folder, "classes"), join(folder, "dependency", "*")].join(
    process.platform === "win32" ? ";" : ":",
  );
  const memory = ["-Xmx512m", "-XX:MaxDirectMemorySize=512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];
  return { command: java, args: [...memory, "-cp", classPath, "Peer"] };
}

async function buildPython(): Promise<PeerCommand> {
  const bin = process.platform === "win32" ? "Scripts" : "bin";
  const requirements = join(interopFolder, "python", "requirements.txt");
  const build = async (target: string): Promise<void> => {
    await run("python3", ["-m", "venv", target], target);
    await run(join(target, bin, "python"), ["-m", "pip", "install", "-q", "-r", requirements], target);
  };
  const folder = await builtOnce("python", ["python/requirements.txt"], build, "final");
  return { command: join(folder, bin, "python"), args: ["-u", join(interopFolder, "python", "peer.py")] };
}

async function buildGo(): Promise<PeerCommand> {
  const sources = ["go/go.mod", "go/go.sum", "go/main.go", "go/produce.go", "go/consume.go"];
  const program = process.platform === "win32" ? "peer.exe" : "peer";
  const folder = await builtOnce("go", sources, async (target) => {
    await run("go", ["build", "-o", join(target, program), "."], join(interopFolder, "go"));
  });
  return { command: join(folder, program), args: [] };
}
