import { crc32, deflateRawSync } from 'node:zlib';

export interface HandmadeEntry {
  readonly name: string | Buffer;
  readonly data: Buffer;
  readonly isDeflated?: boolean;
  /** Declared uncompressed size, if false. */
  readonly saidSize?: number;
  readonly saidCrc?: number;
  /** Unix mode: 0o120777 is a symbolic link. */
  readonly mode?: number;
  readonly flags?: number;
  readonly method?: number;
}

/** Writes a malicious ZIP (APPNOTE 4.3). */
export function writeZipByHand(entries: readonly HandmadeEntry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.isBuffer(entry.name) ? entry.name : Buffer.from(entry.name);
    const packed = entry.isDeflated ? deflateRawSync(entry.data) : entry.data;
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(entry.flags ?? 0x800, 2);
    fields.writeUInt16LE(entry.method ?? (entry.isDeflated ? 8 : 0), 4);
    fields.writeUInt32LE(entry.saidCrc ?? crc32(entry.data), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(entry.saidSize ?? entry.data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    locals.push(Buffer.from('PK\x03\x04', 'latin1'), fields, name, packed);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6);
    more.writeUInt32LE(offset, 10);
    central.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), fields, more, name);
    offset += 30 + name.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
