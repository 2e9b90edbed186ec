import { create, createFileRegistry, type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import type protobuf from "protobufjs";
import descriptor from "protobufjs/ext/descriptor.js";

/** One message type of @bufbuild/protobuf. */
export interface BufbuildCodec {
  /** Makes the message from plain fields once; encoding starts from it. */
  create(fields: object): object;
  encode(message: object): Uint8Array;
  decode(bytes: Uint8Array): object;
}

/** Makes the message types of @bufbuild/protobuf from the definitions, as its generated code does. */
export function loadBufbuild(root: protobuf.Root): (message: string) => BufbuildCodec {
  const withDescriptor = root as protobuf.Root & { toDescriptor(syntax: string): protobuf.Message };
  const set = descriptor.FileDescriptorSet.encode(withDescriptor.toDescriptor("proto2")).finish();
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, set));
  return (name) => {
    const schema: DescMessage | undefined = registry.getMessage(`pulsar.proto.${name}`);
    if (schema === undefined) throw new Error(`no message ${name}`);
    return {
      create: (fields) => create(schema, fields as never),
      encode: (message) => toBinary(schema, message as never),
      decode: (bytes) => fromBinary(schema, bytes),
    };
  };
}
