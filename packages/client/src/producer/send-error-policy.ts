import { ServerError } from "@pulsewire/protocol";

/** What a SEND_ERROR asks for. */
export type SendErrorAction =
  /** Only this entry cannot be sent. */
  | "failEntry"
  /** The bytes were damaged on their way, or before: look at them, then send again. */
  | "verifyAndResend"
  /** The topic takes nothing more. */
  | "failProducer"
  /** The broker could not store it now: attach anew and send everything again. */
  | "reconnect";

/** The answer to each ServerError of a SEND_ERROR, as the Java client gives it. */
export function sendErrorAction(error: number): SendErrorAction {
  switch (error) {
    case ServerError.ChecksumError:
      return "verifyAndResend";
    case ServerError.TopicTerminatedError:
      return "failProducer";
    case ServerError.NotAllowedError:
      return "failEntry";
    default:
      return "reconnect";
  }
}
