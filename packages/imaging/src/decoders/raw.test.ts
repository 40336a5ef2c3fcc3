import { expect, test } from 'vitest';
import { sharp } from '../codecs/sharp.ts';
import { decodeRaw } from './raw.ts';

const jpeg = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();

/** A first directory with only the orientation, then the parts of a RAW file. */
function rawOf(magic: string, orientation: number, pieces: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(26);
  head.write(magic, 'latin1');
  if (magic.startsWith('II')) {
    head.writeUInt32LE(8, 4);
    head.writeUInt16LE(1, 8);
    head.set([0x12, 1, 3, 0, 1, 0, 0, 0, orientation], 10);
  } else {
    head.writeUInt32BE(8, 4);
    head.writeUInt16BE(1, 8);
    head.set([1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation], 10);
  }
  return Buffer.concat([head, ...pieces]);
}

test.each(['II*\0', 'MM\0*', 'IIRO', 'IIU\0'])(
  'the largest preview of a RAW file that begins with %j is decoded upright',
  async (magic) => {
    const noise = Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256));
    const pieces = [await jpeg(16, 12, '#00f'), noise, await jpeg(60, 40, '#f00'), noise];
    const picture = await decodeRaw(rawOf(magic, 6, pieces));
    expect(picture).toMatchObject({ width: 40, height: 60, channels: 3 });
    expect(picture.data[0]).toBeGreaterThan(250);
    expect(picture.warnings[0]).toMatch(
      /^The RAW file was read as the preview the camera embedded, 40 × 60 pixels/,
    );
  },
);

test('the preview’s own orientation overrides that of the file', async () => {
  const turned = await sharp(await jpeg(60, 40, '#f00'))
    .withMetadata({ orientation: 1 })
    .toBuffer();
  expect(await decodeRaw(rawOf('II*\0', 6, [turned]))).toMatchObject({ width: 60, height: 40 });
});

test('lossless JPEGs with sensor data and truncated JPEGs are not used as previews', async () => {
  const lossless = Buffer.from(await jpeg(60, 40, '#f00'));
  lossless[lossless.indexOf(Buffer.of(0xff, 0xc0)) + 1] = 0xc3;
  const cutOff = (await jpeg(80, 80, '#f00')).subarray(0, 300);
  await expect(decodeRaw(rawOf('II*\0', 1, [lossless, cutOff]))).rejects.toThrow(
    'Export it from your RAW program as JPEG or TIFF',
  );
});
