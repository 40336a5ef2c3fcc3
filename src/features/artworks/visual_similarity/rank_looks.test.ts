import { bitsApart } from '@atelier/imaging/fingerprint/pdq/bits_apart.ts';
import { oklabOf } from '@atelier/imaging/pixels/oklab.ts';
import { matchColors, paletteDistance } from '@atelier/imaging/visual_descriptor/color_match.ts';
import { unpackColors } from '@atelier/imaging/visual_descriptor/look.ts';
import { expect, test } from 'vitest';
import { HASH_DISTANCE_MAX } from '../../../config/limits.ts';
import { type KnownLook, PackedLooks, rankLooks } from './rank_looks.ts';

let state = 7;
const chance = (length: number) =>
  Uint8Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state & 255;
  });
const KNOWN: readonly KnownLook[] = Array.from({ length: 3000 }, (_, at) => ({
  id: `w${at}`,
  pdq: chance(32),
  quality: at % 101,
  colors: chance(5 * (1 + (at % 8))),
}));
const looks = new PackedLooks();
for (const known of KNOWN) looks.set(known);
const ranked = async (asked: Parameters<typeof rankLooks>[1]) =>
  (await rankLooks(looks, asked)).map(({ at, rank }) => ({ id: looks.idOf(at), rank }));

test('what was packed is given back as it was', () => {
  expect(KNOWN.map(({ id }) => looks.lookOf(looks.placeOf(id)!))).toEqual(
    KNOWN.map((known) => ({ ...known, pdq: new Uint8Array(known.pdq) })),
  );
});

test('colours rank as the comparison of single pictures has it', async () => {
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

test('likeness ranks copies by their bits first, then palettes by their distance', async () => {
  const copy = Uint8Array.from(KNOWN[99]!.pdq);
  copy[3]! ^= 0b101;
  const like = { hashes: [chance(32), copy], quality: 80, colors: KNOWN[7]!.colors };
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
