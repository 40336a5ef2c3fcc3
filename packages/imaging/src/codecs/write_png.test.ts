import { expect, test } from 'vitest';
import { sharp } from './sharp.ts';
import { writePng } from './write_png.ts';

const [WIDTH, HEIGHT] = [37, 21];

test.each([
  [1, 8],
  [2, 8],
  [3, 8],
  [4, 8],
  [1, 16],
  [2, 16],
  [3, 16],
  [4, 16],
] as const)('%i channels of %i bits round-trip for any band height', async (channels, depth) => {
  const Samples = depth === 8 ? Uint8Array : Uint16Array;
  const row = WIDTH * channels;
  const samples = new Samples(row * HEIGHT).map((_, at) => (at * 7919) % 2 ** depth);
  const png = writePng({ width: WIDTH, height: HEIGHT, channels, depth });
  for (const [from, to] of [
    [0, 1],
    [1, 9],
    [9, HEIGHT],
  ] as const)
    await png.rows(samples.slice(from * row, to * row));
  const bytes = Buffer.concat(await png.finish());

  const picture = sharp(bytes, { failOn: 'warning' });
  const metadata = await picture.metadata();
  expect(metadata).toMatchObject({
    width: WIDTH,
    height: HEIGHT,
    channels,
    depth: depth === 8 ? 'uchar' : 'ushort',
  });
  // sharp omits the alpha channel from raw 8-bit greyscale samples.
  const grey = depth === 16 ? 'grey16' : channels === 1 ? 'b-w' : 'srgb';
  const color = depth === 8 ? 'srgb' : 'rgb16';
  const raw = await picture
    .toColourspace(channels <= 2 ? grey : color)
    .raw({ depth: depth === 8 ? 'uchar' : 'ushort' })
    .toBuffer();
  const back = new Samples(new Uint8Array(raw).buffer);
  expect(
    grey === 'srgb' && channels === 2 ? back.filter((_, at) => at % 4 === 0 || at % 4 === 3) : back,
  ).toEqual(samples);
});

test('a band larger than the compression chunk round-trips', async () => {
  const [width, height] = [5000, 300];
  const samples = new Uint8Array(width * height * 3).map((_, at) => (at * 7919) >> 5);
  const png = writePng({ width, height, channels: 3, depth: 8 });
  await png.rows(samples);
  const raw = await sharp(Buffer.concat(await png.finish()))
    .raw()
    .toBuffer();
  expect(raw.equals(samples)).toBe(true);
});
