/** The value of a table field; undefined omits it. */
export type Held =
  | { readonly byte: number }
  | { readonly int: number }
  | { readonly float: number }
  | { readonly ints: readonly number[] }
  | { readonly floats: readonly number[] }
  | { readonly longs: readonly number[] }
  | { readonly bytes: Uint8Array }
  | { readonly table: Fields }
  | { readonly tables: readonly Fields[] };
export type Fields = readonly (Held | undefined)[];

export const byte = (value: number): Held => ({ byte: value });
export const int = (value: number): Held => ({ int: value });

/**
 * An operator of a TensorFlow Lite graph. @param code its index in the list of operator codes; `from` and
 * `to` are tensors
 */
export const operator = (code: number, from: number[], to: number, options?: Fields): Fields => [
  int(code),
  { ints: from },
  { ints: [to] },
  byte(1),
  options && { table: options },
];

/** A FlatBuffers file, parents before their children. https://flatbuffers.dev/internals/ */
export function writeFlatbuffer(root: Fields, mark: string): Uint8Array {
  const out: number[] = [0, 0, 0, 0, ...Buffer.from(mark)];
  const put = (bytes: ArrayBuffer): number => out.push(...new Uint8Array(bytes)) - bytes.byteLength;
  const putInt = (value: number): number => put(Int32Array.of(value).buffer);
  const point = (at: number, to: number): void => {
    out.splice(at, 4, ...new Uint8Array(Uint32Array.of(to - at).buffer));
  };
  const putTable = (fields: Fields): number => {
    while (out.length % 4 !== 0) out.push(0);
    const places = put(
      Uint16Array.of(
        4 + 2 * fields.length,
        4 + 4 * fields.length,
        ...fields.map((held, at) => (held ? 4 + 4 * at : 0)),
      ).buffer,
    );
    while (out.length % 4 !== 0) out.push(0);
    const table = putInt(out.length - places);
    const slots = fields.map((held) => {
      if (held && 'float' in held) return put(Float32Array.of(held.float).buffer);
      return putInt(held && 'byte' in held ? held.byte : held && 'int' in held ? held.int : 0);
    });
    for (const [at, held] of fields.entries()) {
      const child = held && putChild(held);
      if (child !== undefined) point(slots[at]!, child);
    }
    return table;
  };
  const putChild = (held: Held): number | undefined => {
    if ('table' in held) return putTable(held.table);
    if ('tables' in held) {
      const list = putInt(held.tables.length);
      const slots = held.tables.map(() => putInt(0));
      for (const [at, fields] of held.tables.entries()) point(slots[at]!, putTable(fields));
      return list;
    }
    const numbers =
      'ints' in held
        ? Int32Array.from(held.ints)
        : 'floats' in held
          ? Float32Array.from(held.floats)
          : 'longs' in held
            ? BigInt64Array.from(held.longs.map(BigInt))
            : 'bytes' in held
              ? Uint8Array.from(held.bytes)
              : undefined;
    if (!numbers) return undefined;
    const list = putInt(numbers.length);
    put(numbers.buffer);
    while (out.length % 4 !== 0) out.push(0);
    return list;
  };
  point(0, putTable(root));
  return Uint8Array.from(out);
}
