/** As much of CBOR (RFC 8949) as a COSE signature is made of. */
export const cbor = {
  integer: (value: number): Buffer => (value >= 0 ? head(0, value) : head(1, -1 - value)),
  bytes: (value: Uint8Array): Buffer => Buffer.concat([head(2, value.length), value]),
  text: (value: string): Buffer => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]),
  array: (...items: Uint8Array[]): Buffer => Buffer.concat([head(4, items.length), ...items]),
  /** Keys and values in turn. */
  map: (...pairs: Uint8Array[]): Buffer => Buffer.concat([head(5, pairs.length / 2), ...pairs]),
  tag: (number: number, item: Uint8Array): Buffer => Buffer.concat([head(6, number), item]),
  null: Buffer.from([0xf6]),
};

function head(major: number, value: number): Buffer {
  const first = major << 5;
  if (value < 24) return Buffer.from([first | value]);
  const size = value < 0x100 ? 1 : value < 0x10000 ? 2 : 4;
  const bytes = Buffer.alloc(1 + size);
  bytes[0] = first | { 1: 24, 2: 25, 4: 26 }[size]!;
  bytes.writeUIntBE(value, 1, size);
  return bytes;
}
