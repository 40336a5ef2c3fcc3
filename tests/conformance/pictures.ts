import { crc32, deflateSync } from 'node:zlib';

/** A PNG of one colour per quarter, made here so that the black box gets pictures nobody else made. Base64. */
export function quarters(side: number): string {
  const colors = [
    [220, 40, 40],
    [40, 160, 60],
    [30, 80, 200],
    [240, 220, 60],
  ];
  const rows = Array.from({ length: side }, (_, y) =>
    Buffer.from([
      0,
      ...Array.from(
        { length: side },
        (_, x) => colors[(y < side / 2 ? 0 : 2) + (x < side / 2 ? 0 : 1)]!,
      ).flat(),
    ]),
  );
  return png(side, side, Buffer.concat(rows)).toString('base64');
}

/** A PNG of one colour throughout. Base64. */
export const oneColor = (side: number): string => painted(side, () => [200, 120, 40]);

/** A PNG of a dark disc on a light ground. Base64. */
export const spot = (side: number): string =>
  painted(side, (x, y) =>
    Math.hypot(x - side / 2, y - side / 2) < side / 4 ? [40, 50, 160] : [250, 248, 244],
  );

function painted(side: number, color: (x: number, y: number) => number[]): string {
  const rows = Array.from({ length: side }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: side }, (_, x) => color(x, y)).flat()]),
  );
  return png(side, side, Buffer.concat(rows)).toString('base64');
}

function png(width: number, height: number, scanlines: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(scanlines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** Width and height written in a PNG. */
export function pngSize(base64: string): { width: number; height: number } {
  const bytes = Buffer.from(base64, 'base64');
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}
