import { iccHeader } from '../support/write_pdf.ts';
import {
  long,
  short,
  type TiffParts,
  tiffBytes,
  tiffFraction,
  writeTiffParts,
} from '../support/write_tiff_parts.ts';

const broken = (rule: string, parts: TiffParts) => ({ rule, bytes: () => writeTiffParts(parts) });
const dpi = (x: number, y = x): TiffParts => ({ tags: { 282: tiffFraction(x), 283: tiffFraction(y) } });
const RGB = { color: [200, 80, 20] };
const FIVE = [20, 10, 0, 40, 90];

/** A BigTIFF of one grey pixel. */
function big(): Uint8Array {
  const rows: readonly (readonly [tag: number, value: number])[] = [
    ...([
      [256, 1],
      [257, 1],
      [258, 8],
      [259, 1],
      [262, 1],
      [273, 0],
      [277, 1],
      [279, 1],
    ] as const),
  ];
  const file = Buffer.alloc(16 + 8 + 20 * rows.length + 8);
  file.write('II+\0', 0, 'latin1');
  file.writeUInt16LE(8, 4);
  file.writeBigUInt64LE(16n, 8);
  file.writeBigUInt64LE(BigInt(rows.length), 16);
  for (const [index, [tag, value]] of rows.entries()) {
    const at = 24 + 20 * index;
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(3, at + 2);
    file.writeBigUInt64LE(1n, at + 4);
    file.writeUInt16LE(value, at + 12);
  }
  return file;
}

/** For every rule about TIFF a file that breaks it. */
export const BROKEN_TIFFS = [
  broken('tiff_rgb', { ...RGB, tags: { 262: short(2) } }),
  broken('tiff_other_colors', {
    color: [3],
    tags: { 262: short(3), 320: short(...Array.from({ length: 768 }, () => 9)) },
  }),
  broken('tiff_profile_missing', {}),
  broken('tiff_profile_wrong', { tags: { 34675: tiffBytes(iccHeader({ space: 'RGB' })) } }),
  broken('tiff_resolution_missing', { tags: { 282: undefined } }),
  broken('tiff_below_150_dpi', dpi(100)),
  broken('tiff_below_225_dpi', dpi(200)),
  broken('tiff_line_art_below_550_dpi', { color: [0], tags: { 258: short(1), 262: short(0) } }),
  broken('tiff_pixels_not_square', dpi(300, 200)),
  broken('tiff_alpha', { color: FIVE, tags: { 338: short(2) } }),
  broken('tiff_spot_channels', { color: FIVE, tags: { 338: short(0) } }),
  broken('tiff_other_inks', { tags: { 332: short(2) } }),
  broken('tiff_layers', { tags: { 37724: tiffBytes(new Uint8Array(8)) } }),
  broken('tiff_planar', { tags: { 284: short(2) } }),
  broken('tiff_16_bit', {
    color: [1, 2, 3, 4, 5, 6, 7, 8],
    samples: 4,
    tags: { 258: short(16, 16, 16, 16) },
  }),
  broken('tiff_compression', { tags: { 259: short(7) } }),
  broken('tiff_pages_many', { pages: 2 }),
  { rule: 'tiff_big', bytes: big },
  broken('tiff_turned', { tags: { 274: short(6) } }),
  broken('tiff_cut_off', { tags: { 279: long(9_000_000) } }),
  broken('tiff_total_ink', { color: [255, 255, 255, 200] }),
  broken('tiff_much_ink', { color: [230, 230, 230, 128] }),
];
