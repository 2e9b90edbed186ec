/** Named values that go with a log line. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where log lines go. `console` fits as it is. A logger that throws is not defended against. */
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
