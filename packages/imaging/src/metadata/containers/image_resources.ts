/** A Photoshop image resource; 0x0404 holds IPTC-IIM and 0x0425 its MD5. */
export interface ImageResource {
  readonly id: number;
  /** The whole resource including padding. */
  readonly bytes: Uint8Array;
  readonly data: Uint8Array;
}

export const IIM_RESOURCE = 0x0404;
export const IIM_DIGEST_RESOURCE = 0x0425;

/** The resources in order; a truncated one ends the list. Photoshop File Formats, "Image Resource Blocks". */
export function imageResources(block: Buffer): ImageResource[] {
  const resources: ImageResource[] = [];
  let at = 0;
  while (
    at + 12 <= block.length &&
    /^(8BIM|PHUT|DCSR|AgHg|MeSa)$/.test(block.toString('latin1', at, at + 4))
  ) {
    const id = block.readUInt16BE(at + 4);
    const name = 1 + block[at + 6]!;
    const sizeAt = at + 6 + name + (name % 2);
    if (sizeAt + 4 > block.length) break;
    const size = block.readUInt32BE(sizeAt);
    const from = sizeAt + 4;
    if (from + size > block.length) break;
    const end = Math.min(from + size + (size % 2), block.length);
    resources.push({ id, bytes: block.subarray(at, end), data: block.subarray(from, from + size) });
    at = end;
  }
  return resources;
}

export function imageResource(id: number, data: Uint8Array): Buffer {
  const head = Buffer.alloc(12);
  head.write('8BIM', 0, 'latin1');
  head.writeUInt16BE(id, 4);
  head.writeUInt32BE(data.length, 8);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}
