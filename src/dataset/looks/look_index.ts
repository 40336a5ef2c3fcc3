import { setImmediate as letOthersRun } from 'node:timers/promises';
import { matchColors, paletteDistance } from '@atelier/engines/look/color_match.ts';
import { type Look, type LookColor, unpackColors } from '@atelier/engines/look/look.ts';
import { hexOf } from '@atelier/engines/palette/css_colors.ts';
import { bitsApart } from '@atelier/engines/pdq/bits_apart.ts';
import { oklabOf } from '@atelier/engines/pixels/oklab.ts';
import type { Database } from '../../database/contract.ts';
import { HASH_DISTANCE_MAX, HASH_QUALITY_MIN } from '../../limits.ts';
import { type LookRow, readLooks } from './look_store.ts';

/** Works by what their pictures look like, the likest first. */
export interface LookIndex {
  search(asked: LookAsked): Promise<LookHit[]>;
  /** Works whose looks are known. */
  size(): Promise<number>;
}

export interface LookAsked {
  /** 0xRRGGBB; all of them have to be there. */
  readonly colors?: readonly number[] | undefined;
  readonly like?: Look | undefined;
}

export interface LookHit {
  readonly id: string;
  /** What was measured, in words. */
  readonly why: string;
  /** Another copy of the picture that was sent. */
  readonly isSame: boolean;
}

/** Palettes farther apart than this have no more in common than any two paintings. */
const PALETTE_DISTANCE_MAX = 0.1;
const ROWS_AT_A_TIME = 2000;
/** Looks compared before others get their turn: about 2 ms. */
const LOOKS_AT_A_TIME = 2000;

interface Known {
  readonly id: string;
  readonly pdq: Uint8Array;
  readonly quality: number;
  readonly colors: readonly LookColor[];
}

/**
 * Keeps every look in memory (about 1 kB each), follows the rows of the database and compares one by one: exact.
 * @param shipped looks that are known without anybody having measured them here
 */
export function createLookIndex(database: Database, shipped: readonly Omit<LookRow, 'number'>[]): LookIndex {
  const known = new Map(shipped.map((row) => [row.id, knownOf(row)]));
  let last = 0;
  let following: Promise<unknown> = Promise.resolve();

  const follow = async () => {
    for (;;) {
      const rows = await readLooks(database, last, ROWS_AT_A_TIME);
      if (rows.length === 0) return;
      for (const row of rows) known.set(row.id, knownOf(row));
      last = rows.at(-1)!.number;
    }
  };
  /** One reading after the other. */
  const upToDate = (): Promise<void> => {
    const next = following.then(follow);
    following = next.catch(() => {});
    return next;
  };
  return {
    async search(asked) {
      await upToDate();
      const measure = measurer(asked);
      const found: (LookHit & { rank: number })[] = [];
      let compared = 0;
      for (const one of known.values()) {
        const hit = measure(one);
        if (hit) found.push({ id: one.id, isSame: hit.isSame === true, rank: hit.rank, why: hit.why });
        compared += 1;
        if (compared % LOOKS_AT_A_TIME === 0) await letOthersRun();
      }
      return found.sort((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1));
    },
    async size() {
      await upToDate();
      return known.size;
    },
  };
}

const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));

const knownOf = ({ id, pdq, quality, colors }: Omit<LookRow, 'number'>): Known => ({
  id,
  pdq: bytesOf(pdq),
  quality,
  colors: unpackColors(bytesOf(colors)),
});

type Measure = (known: Known) => { rank: number; why: string; isSame?: boolean } | undefined;

/** What has to hold of a work; ranks of both questions are added. */
function measurer({ colors, like }: LookAsked): Measure {
  const measures = [...(colors?.length ? [hasColors(colors)] : []), ...(like ? [isLike(like)] : [])];
  return (known) => {
    const hits = measures.map((measure) => measure(known));
    if (hits.some((hit) => hit === undefined)) return undefined;
    return {
      rank: hits.reduce((sum, hit) => sum + hit!.rank, 0),
      why: hits.map((hit) => hit!.why).join('; '),
      isSame: hits.some((hit) => hit!.isSame),
    };
  };
}

function hasColors(colors: readonly number[]): Measure {
  const asked = colors.map((color) => oklabOf(color >> 16, (color >> 8) & 255, color & 255));
  return ({ colors: own }) => {
    const match = matchColors(asked, own);
    if (!match) return undefined;
    const why = match.nearest.map(
      ({ color, distance }, at) =>
        `colour ${hexOf(colors[at]!)}: nearest is ${hexOf(color.color)} on ${Math.round(color.share * 100)} %, distance ${distance.toFixed(3)}`,
    );
    return { rank: 1 - match.score, why: why.join('; ') };
  };
}

/** The same picture first, by what its hash says; then pictures of like colours. */
function isLike({ hashes, quality, colors }: Look): Measure {
  const asked = unpackColors(colors);
  return (known) => {
    const sure = Math.min(quality, known.quality) >= HASH_QUALITY_MIN;
    const bits = sure ? Math.min(...hashes.map((hash) => bitsApart(hash, known.pdq))) : 256;
    if (bits <= HASH_DISTANCE_MAX) {
      return {
        rank: bits / 256 - 1,
        isSame: true,
        why: `likeness: the same picture, ${bits} of 256 bits of its hash differ`,
      };
    }
    const distance = paletteDistance(asked, known.colors);
    if (distance > PALETTE_DISTANCE_MAX) return undefined;
    return { rank: distance, why: `likeness: its colours, distance ${distance.toFixed(3)}` };
  };
}
