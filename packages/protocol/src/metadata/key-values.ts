import type { KeyValue } from "../gen/pulsar-api.js";
import { missingField, type ProtoReader } from "../protobuf/proto-reader.ts";
import type { ProtoWriter } from "../protobuf/proto-writer.ts";

/** Writes a list of properties, one field each. */
export function writeKeyValues(writer: ProtoWriter, tag: number, properties: readonly KeyValue[]): void {
  for (const { key, value } of properties) {
    const mark = writer.begin(tag);
    writer.stringField(0x0a, key);
    writer.stringField(0x12, value);
    writer.end(mark);
  }
}

/** Reads one property. */
export function readKeyValue(reader: ProtoReader): KeyValue {
  let key: string | undefined;
  let value: string | undefined;
  const outer = reader.enter();
  const start = reader.pos;
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    if (tag === 0x0a) key = reader.string();
    else if (tag === 0x12) value = reader.string();
    else reader.skip(tag);
  }
  reader.leave(outer);
  if (key === undefined) throw missingField("KeyValue", "key", start);
  if (value === undefined) throw missingField("KeyValue", "value", start);
  return { key, value };
}
