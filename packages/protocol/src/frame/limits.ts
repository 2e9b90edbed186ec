/** Payload limit that applies when CONNECTED names none: 5 MiB. */
export const DEFAULT_MAX_MESSAGE_SIZE_BYTES = 5_242_880;

/** Room that brokers and clients leave for command and metadata above the payload limit. */
export const FRAME_OVERHEAD_BYTES = 10_240;
