/** What went wrong, as a stable word that callers may compare. */
export type LauncherErrorCode =
  | "REQUIREMENT_MISSING"
  | "RESOLVE_FAILED"
  | "INVALID_OPTION"
  | "INVALID_STATE"
  | "START_FAILED"
  | "TIMEOUT"
  | "ABORTED"
  | "ADMIN_REQUEST_FAILED";

/** In the global registry, so that two loaded copies of this package know one another's errors. */
const brand = Symbol.for("pulsewire.apache-pulsar.error");

/** Base of every error that this package throws. Compare `code`; use {@link isLauncherError} to recognise one. */
export class LauncherError extends Error {
  readonly code: LauncherErrorCode;

  constructor(code: LauncherErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = "LauncherError";
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }
}

/** A request to the admin REST interface was answered with a status other than 2xx, or not at all (`status` 0). */
export class AdminRequestError extends LauncherError {
  /** HTTP status, or 0 where no answer came. */
  readonly status: number;
  /** The answer as it came, mostly `{"reason": "..."}`. */
  readonly body: string;

  constructor(request: string, status: number, body: string, options?: { readonly cause?: unknown }) {
    super(
      "ADMIN_REQUEST_FAILED",
      status === 0 ? `${request} was not answered: ${body}` : `${request} was answered with ${status}: ${body}`,
      options,
    );
    this.name = "AdminRequestError";
    this.status = status;
    this.body = body;
  }
}

/** True for every error of this package, also from another loaded copy of it. */
export function isLauncherError(error: unknown): error is LauncherError {
  return typeof error === "object" && error !== null && brand in error;
}
