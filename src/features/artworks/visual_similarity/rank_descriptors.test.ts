import { bitsApart } from '@atelier/imaging/fingerprint/pdq/bits_apart.ts';
import { oklabOf } from '@atelier/imaging/pixels/oklab.ts';
import { matchColors, paletteDistance } from '@atelier/imaging/visual_descriptor/color_match.ts';
import {
  LAYOUT_BYTES,
  LAYOUT_DISTANCE_MAX,
  layoutDistance,
  matchLayouts,
} from '@atelier/imaging/visual_descriptor/layout.ts';
import { paletteTransport } from '@atelier/imaging/visual_descriptor/palette_transport.ts';
import { unpackColors } from '@atelier/imaging/visual_descriptor/visual_descriptor.ts';
import { expect, test } from 'vitest';
import { HASH_DISTANCE_MAX } from '../../../config/limits.ts';
import { PackedDescriptors, rankDescriptors, type StoredDescriptor } from './rank_descriptors.ts';

let state = 7;
const chance = (length: number) =>
  Uint8Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state & 255;
  });
const COMPOSED = chance(LAYOUT_BYTES);
/** Arbitrary, except for some that are similar to each other. */
const layoutAt = (at: number) =>
  at % 20 === 8
    ? COMPOSED.map((byte, nth) => (nth % 9 === at % 9 ? chance(1)[0]! : byte))
    : chance(LAYOUT_BYTES);
const KNOWN: readonly StoredDescriptor[] = Array.from({ length: 3000 }, (_, at) => ({
  id: `w${at}`,
  pdq: chance(32),
  quality: at % 101,
  colors: chance(5 * (1 + (at % 8))),
  // Every seventh dates from before layouts existed.
  layout: at % 7 === 3 ? new Uint8Array(0) : layoutAt(at),
}));
const LIKE = { hashes: [chance(32)], quality: 80, colors: KNOWN[7]!.colors, layout: KNOWN[8]!.layout };
const looks = new PackedDescriptors();
for (const known of KNOWN) looks.set(known);
const ranked = async (asked: Parameters<typeof rankDescriptors>[1]) =>
  (await rankDescriptors(looks, asked)).map(({ at, rank }) => ({ id: looks.idOf(at), rank }));

test('packed descriptors are unpacked unchanged', () => {
  expect(KNOWN.map(({ id }) => looks.lookOf(looks.placeOf(id)!))).toEqual(
    KNOWN.map((known) => ({ ...known, pdq: new Uint8Array(known.pdq) })),
  );
});

test('colour ranks equal those of pairwise comparison', async () => {
  const colors = [0x7a5230, 0x304a7a];
  const asked = colors.map((color) => oklabOf(color >> 16, (color >> 8) & 255, color & 255));
  const found = new Map((await ranked({ colors })).map(({ id, rank }) => [id, rank]));
  const expected = KNOWN.flatMap(({ id, colors: own }) => {
    const match = matchColors(asked, unpackColors(own));
    return match ? [[id, expect.closeTo(1 - match.score, 4)] as const] : [];
  });
  expect(expected.length).toBeGreaterThan(20);
  expect(found).toEqual(new Map(expected));
});

test('similarity ranks copies by hash distance first, then palettes by colour distance', async () => {
  const copy = Uint8Array.from(KNOWN[99]!.pdq);
  copy[3]! ^= 0b101;
  const like = { ...LIKE, hashes: [chance(32), copy] };
  const [first, ...others] = await ranked({ like });
  expect([first, bitsApart(copy, KNOWN[99]!.pdq) <= HASH_DISTANCE_MAX]).toEqual([
    { id: 'w99', rank: 2 / 256 - 1 },
    true,
  ]);
  const distances = KNOWN.filter(({ id }) => id !== 'w99').map(({ id, colors }) => ({
    id,
    rank: paletteDistance(unpackColors(like.colors), unpackColors(colors)),
  }));
  const near = distances.filter(({ rank }) => rank <= 0.1).sort((one, other) => one.rank - other.rank);
  expect(others).toEqual(near.map(({ id, rank }) => ({ id, rank: expect.closeTo(rank, 4) })));
});

test('composition ranks equal pairwise comparison and exclude works without a layout', async () => {
  const found = await ranked({ like: LIKE, by: 'composition' });
  const distances = KNOWN.flatMap(({ id, layout }) => {
    const match = layout.length > 0 && matchLayouts(LIKE.layout, layout);
    return match ? [{ id, rank: layoutDistance(match) }] : [];
  });
  const near = distances
    .filter(({ rank }) => rank <= LAYOUT_DISTANCE_MAX)
    .sort((one, other) => one.rank - other.rank);
  expect([found, found[0]!.id, found.length > 5]).toEqual([near, 'w8', true]);
  expect(looks.layoutsKnown).toBe(distances.length);
});

test('colour search ranks by colour shares and ignores hashes', async () => {
  const found = await ranked({ like: { ...LIKE, hashes: [KNOWN[99]!.pdq] }, by: 'color' });
  const transport = (id: string) =>
    paletteTransport(unpackColors(LIKE.colors), unpackColors(KNOWN[Number(id.slice(1))]!.colors));
  expect(found[0]).toEqual({ id: 'w7', rank: expect.closeTo(0, 5) });
  expect(found.map(({ rank }) => rank)).toEqual(
    found.map(({ id }) => transport(id)).sort((one, other) => one - other),
  );
});

test('a newly measured descriptor replaces the old one', () => {
  const own = new PackedDescriptors();
  own.set({ ...KNOWN[0]!, layout: new Uint8Array(0) });
  own.set(KNOWN[0]!);
  expect([own.layoutsKnown, own.lookOf(0)]).toEqual([
    1,
    { ...KNOWN[0]!, pdq: new Uint8Array(KNOWN[0]!.pdq) },
  ]);
});
