/** Puts the two sizes before a command: the whole frame of a command without payload. */
export function encodeFrame(command: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(8 + command.length);
  frame.writeUInt32BE(4 + command.length, 0);
  frame.writeUInt32BE(command.length, 4);
  frame.set(command, 8);
  return frame;
}
