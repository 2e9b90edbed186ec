import { create, createFileRegistry, type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import { type DescriptorProto, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
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
  const files = fromBinary(FileDescriptorSetSchema, set);
  for (const file of files.file) for (const type of file.messageType) qualifyTypeNames(root, file.package, type);
  const registry = createFileRegistry(files);
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

/** protobufjs writes the names of field types as they stand in the definitions; a descriptor has full ones. */
function qualifyTypeNames(root: protobuf.Root, scope: string, type: DescriptorProto): void {
  const fullName = `${scope}.${type.name}`;
  const { fieldsById } = root.lookupType(fullName);
  for (const field of type.field) {
    const resolved = fieldsById[field.number]?.resolvedType;
    if (resolved) field.typeName = resolved.fullName;
  }
  for (const nested of type.nestedType) qualifyTypeNames(root, fullName, nested);
}
