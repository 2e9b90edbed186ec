import { expect, it } from "vitest";
import { bitString, integer, ipAddressBytes, objectIdentifier, octetString } from "../../src/tls/der.ts";

it.each([
  ["127.0.0.1", "7f000001"],
  ["::1", "00000000000000000000000000000001"],
  ["2001:db8::8:800", "20010db8000000000000000000080800"],
  ["1:2:3:4:5:6:7:8", "00010002000300040005000600070008"],
])("turns the address %s into bytes", (address, hex) => {
  expect(ipAddressBytes(address).toString("hex")).toBe(hex);
});

it("writes lengths of one, two and three bytes", () => {
  expect(octetString(Buffer.alloc(127)).subarray(0, 2).toString("hex")).toBe("047f");
  expect(octetString(Buffer.alloc(128)).subarray(0, 3).toString("hex")).toBe("048180");
  expect(octetString(Buffer.alloc(256)).subarray(0, 4).toString("hex")).toBe("04820100");
});

it("writes object identifiers, integers and bit strings", () => {
  expect(objectIdentifier("1.2.840.113549.1.1.11").toString("hex")).toBe("06092a864886f70d01010b");
  expect(integer(Buffer.from([0x80])).toString("hex")).toBe("02020080");
  expect(bitString(Buffer.from([0xa0]), 5).toString("hex")).toBe("030205a0");
});
