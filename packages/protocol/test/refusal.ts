import { ProtocolError } from "../src/errors.ts";

/** The ProtocolError that a call throws; anything else, a value included, fails the test. */
export function refusalOf(run: () => unknown): ProtocolError {
  try {
    run();
  } catch (error) {
    if (ProtocolError.isProtocolError(error)) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

/** True when the call returns, false when it refuses with a ProtocolError; anything else is thrown on. */
export function accepts(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch (error) {
    if (ProtocolError.isProtocolError(error)) return false;
    throw error;
  }
}
