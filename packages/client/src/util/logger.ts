/** Named values that go with a log line. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where log lines go. `console` fits as it is. What it throws or rejects with is dropped. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Drops every line: the default. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};

/** A logger that a failure of the given one does not leave: there is nobody left to tell. */
export function safeLogger(logger: Logger): Logger {
  const guarded =
    (level: keyof Logger) =>
    (message: string, fields?: LogFields): void => {
      try {
        const result: unknown = logger[level](message, fields);
        if (result instanceof Promise) result.catch(() => {});
      } catch {}
    };
  return { debug: guarded("debug"), info: guarded("info"), warn: guarded("warn"), error: guarded("error") };
}
