import { expect, test } from 'vitest';
import { sharp } from '../codecs/sharp.ts';
import { decodeAvifSequence } from './avif_sequence.ts';
import { findBox, readBoxes, writeBox, writeFullBox } from './heif_boxes.ts';

const uint32 = (...values: number[]) => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
};

/** A track of one AV1 frame, said to be of `frames`, whose sample lies at `start`. */
function trackOf(
  handler: string,
  still: Buffer,
  { start, frames }: { start: number; frames: number },
): Buffer {
  const meta = findBox(still, 'meta')!.subarray(4);
  const described = readBoxes(findBox(meta, 'iprp', 'ipco')!).filter(({ type }) => type === 'av1C');
  const fields = Buffer.alloc(78);
  fields.writeUInt16BE(32, 24);
  fields.writeUInt16BE(16, 26);
  const entry = writeBox('av01', fields, ...described.map(({ whole }) => whole));
  const samples = writeBox(
    'stbl',
    writeFullBox('stsd', 0, 0, uint32(1), entry),
    writeFullBox(
      'stsz',
      0,
      0,
      uint32(0, frames, ...Array.from({ length: frames }, () => dataOf(still).length)),
    ),
    writeFullBox('stco', 0, 0, uint32(1, start)),
  );
  const kind = writeFullBox('hdlr', 0, 0, uint32(0), Buffer.from(handler), Buffer.alloc(13));
  return writeBox('trak', writeBox('mdia', kind, writeBox('minf', samples)));
}

const dataOf = (still: Buffer): Buffer => readBoxes(still).find(({ type }) => type === 'mdat')!.data;
const avif = (background: string) =>
  sharp({ create: { width: 32, height: 16, channels: 3, background } })
    .avif({ quality: 90, effort: 0 })
    .toBuffer();

test('the first frame of an animated AVIF is read, and the others are counted', async () => {
  const still = await avif('#d01010');
  const data = writeBox('mdat', dataOf(still));
  const type = writeBox('ftyp', Buffer.from('avis\0\0\0\0avismsf1', 'latin1'));
  const movie = writeBox('moov', trackOf('pict', still, { start: type.length + 8, frames: 3 }));
  const picture = await decodeAvifSequence(Buffer.concat([type, data, movie]));
  expect(picture).toMatchObject({ width: 32, height: 16, channels: 3, frames: 3 });
  expect(picture.warnings).toEqual(['The animated AVIF was read as the first of its 3 frames.']);
  expect(picture.data[0]).toBeGreaterThan(200);
});

test('a track of alpha makes it transparent', async () => {
  const [color, alpha] = [await avif('#d01010'), await avif('#404040')];
  const type = writeBox('ftyp', Buffer.from('avis\0\0\0\0avismsf1', 'latin1'));
  const data = writeBox('mdat', dataOf(color), dataOf(alpha));
  const tracks = [
    trackOf('pict', color, { start: type.length + 8, frames: 1 }),
    trackOf('auxv', alpha, { start: type.length + 8 + dataOf(color).length, frames: 1 }),
  ];
  const picture = await decodeAvifSequence(Buffer.concat([type, data, writeBox('moov', ...tracks)]));
  expect(picture).toMatchObject({ channels: 4, frames: undefined, warnings: [] });
  expect(Math.abs(picture.data[3]! - 0x40)).toBeLessThan(4);
});

test('an AVIF without a movie or with a cut-off frame is refused', async () => {
  const still = await avif('#d01010');
  await expect(decodeAvifSequence(still)).rejects.toThrow('no animation');
  const movie = writeBox('moov', trackOf('pict', still, { start: 10_000, frames: 1 }));
  await expect(decodeAvifSequence(movie)).rejects.toThrow('before its last pixel');
});
