/** Packages of the JDK that the broker and its libraries reach into. */
const opened = [
  "java.base/java.io",
  "java.base/java.lang",
  "java.base/java.nio",
  "java.base/java.util",
  "java.base/java.util.zip",
  "java.base/jdk.internal.misc",
  "java.base/jdk.internal.platform",
  "java.base/sun.net",
  "java.management/sun.management",
  "jdk.management/com.sun.management.internal",
];

/** What the JVM arguments depend on. */
export interface JvmArgumentOptions {
  /** Largest heap in MiB. */
  readonly heapMb: number;
  /** Largest memory outside the heap (buffers of messages) in MiB. */
  readonly directMemoryMb: number;
  /** Log4j configuration. */
  readonly loggingFile: string;
  /** Archive of loaded classes, or undefined to load each from its jar. */
  readonly classArchive: string | undefined;
  /** Added at the end, so that they win. */
  readonly more: readonly string[];
}

/** The arguments of a JVM that runs a part of Apache Pulsar. */
export function jvmArguments(options: JvmArgumentOptions): readonly string[] {
  return [
    ...opened.flatMap((name) => ["--add-opens", `${name}=ALL-UNNAMED`]),
    "-Dio.netty.tryReflectionSetAccessible=true",
    `-Xmx${options.heapMb}m`,
    `-XX:MaxDirectMemorySize=${options.directMemoryMb}m`,
    "-XX:+ExitOnOutOfMemoryError",
    `-Dlog4j2.configurationFile=${options.loggingFile}`,
    ...(options.classArchive === undefined
      ? []
      : [`-XX:SharedArchiveFile=${options.classArchive}`, "-Xlog:cds=off", "-Xlog:cds+dynamic=off"]),
    ...options.more,
  ];
}
