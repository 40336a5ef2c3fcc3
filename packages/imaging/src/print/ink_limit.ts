import { openPressProfile, type PressProfile } from '../color/press_profile.ts';
import { profileName } from '../color/profile_name.ts';
import { EngineError } from '../errors/engine_error.ts';
import type { PrintCondition } from './sheet_file.ts';

/** Total area coverage that a printing condition allows, and its rich black. Inks in per cent. */
export interface InkLimit {
  /** Maximum sum of all inks at one point (total area coverage, TAC). */
  readonly percent: number;
  /** Above this sum, coverage is an error; between `percent` and this sum it is a warning. */
  readonly errorAbovePercent: number;
  /** Printing condition the limit belongs to, for messages: "FOGRA51". */
  readonly condition: string;
  /**
   * Source of the limit: published with the condition, stated or measured in the profile, or usual for coated paper.
   */
  readonly basis: 'published' | 'profile' | 'usual';
  /** Cyan, magenta, yellow and black for large black areas. Small black text uses black only on every paper. */
  readonly richBlack: readonly [number, number, number, number];
}

/** Excess that counts as rounding: four plates of 8 bits, and interpolation between the nodes of a profile. */
export const INK_TOLERANCE = 5;
/**
 * Excess at which wet ink sets off on any press. Trade practice; ISO 12647-2:2004 allows 350 % for sheet-fed presses.
 */
const ERROR_EXCESS = 40;
const ERROR_PERCENT_MAX = 350;

/**
 * Limits published with characterisation data and with the profiles made from them. Names are compared by letters and
 * digits only. Sources: ECI, readme files of ISO Coated v2 (FOGRA39, 2007), PSO Uncoated ISO12647 (FOGRA47, 2009), PSO
 * Coated v3 and PSO Uncoated v3 (FOGRA51 and FOGRA52, 2015); WAN-IFRA, WAN-IFRAnewspaper26v5 for ISO 12647-3:2013, and
 * ISOnewspaper26v4 for ISO 12647-3:2005; SWOP, Specifications for Web Offset Publications, 11th edition, for TR 001, TR
 * 003 and TR 005.
 */
const PUBLISHED: readonly (readonly [name: RegExp, percent: number, of: string])[] = [
  [/fogra39|isocoatedv2/, 330, 'FOGRA39'],
  [/fogra51|psocoatedv3/, 300, 'FOGRA51'],
  [/fogra52|psouncoatedv3/, 300, 'FOGRA52'],
  [/fogra47|psouncoatediso12647/, 300, 'FOGRA47'],
  [/newspaper26v5|ifra26v5/, 220, 'WAN-IFRA newspaper 26v5'],
  [/newspaper26v4|ifra26/, 240, 'ISO newspaper 26v4'],
  [/swop|tr00[135](?!\d)/, 300, 'SWOP'],
];
const DEFAULT_LIMIT = { percent: 300, of: 'coated paper' };
/** Limit stated in a profile name: "ISO Coated v2 300% (ECI)". */
const STATED_PERCENT = /(?<!\d)([23]\d\d|400)\s?%/;

/** Trade practice. Each sum stays below the limit of its paper. */
const RICH_BLACK = {
  coated: [60, 40, 40, 100],
  uncoated: [40, 30, 30, 100],
  newsprint: [30, 20, 20, 100],
} as const;
const UNCOATED = /uncoated|fogra(29|47|52|30)(?!\d)/;
const NEWSPRINT_PERCENT = 240;

/**
 * Returns the ink limit of a printing condition: the one stated in the profile name, else the published one, else the
 * maximum measured in the profile.
 * @param names of the condition and its profile, the most specific first
 * @param profile ICC profile, read only if the names state no limit
 */
export function inkLimitOf(names: readonly (string | undefined)[], profile?: Uint8Array): InkLimit {
  const known = names.filter((name) => name !== undefined && name.trim() !== '') as string[];
  const letters = known.map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ''));
  const [condition = DEFAULT_LIMIT.of] = known;
  const stated = known.map((name) => STATED_PERCENT.exec(name)?.[1]).find((percent) => percent !== undefined);
  const published = PUBLISHED.find(([name]) => letters.some((one) => name.test(one)));
  if (stated !== undefined) return createInkLimit(Number(stated), { condition, basis: 'profile', letters });
  if (published)
    return createInkLimit(published[1], { condition: published[2], basis: 'published', letters });
  const measured = profile && measuredLimit(profile);
  if (measured !== undefined) return createInkLimit(measured, { condition, basis: 'profile', letters });
  return createInkLimit(DEFAULT_LIMIT.percent, { condition: DEFAULT_LIMIT.of, basis: 'usual', letters });
}

/** Returns the ink limit of the printing condition that a file is made for. */
export const inkLimitOfCondition = ({ name, registered, profile }: PrintCondition): InkLimit =>
  inkLimitOf([registered, name, profileName(profile)], profile);

function createInkLimit(
  percent: number,
  {
    condition,
    basis,
    letters,
  }: Pick<InkLimit, 'condition' | 'basis'> & { readonly letters: readonly string[] },
): InkLimit {
  const isUncoated = letters.some((one) => UNCOATED.test(one));
  const paper = percent <= NEWSPRINT_PERCENT ? 'newsprint' : isUncoated ? 'uncoated' : 'coated';
  const errorAbovePercent = Math.max(
    percent + INK_TOLERANCE,
    Math.min(ERROR_PERCENT_MAX, percent + ERROR_EXCESS),
  );
  return {
    percent,
    errorAbovePercent,
    condition: condition.slice(0, 80),
    basis,
    richBlack: RICH_BLACK[paper],
  };
}

/** "60, 40, 40, 100 % (240 %)" */
export const richBlackText = ({ richBlack }: InkLimit): string =>
  `${richBlack.join(', ')} % (${richBlack.reduce((sum, ink) => sum + ink, 0)} %)`;

/**
 * CIELAB grid of dark colours to measure. Chromatic ones are included: the colour with the most ink is not always
 * neutral.
 */
const LIGHTNESS = [0, 5, 10, 15, 20, 30, 40];
const CHROMA = [-40, -20, 0, 20, 40];
const ROUNDING_STEP = 5;
const PERCENT_MIN = 150;

/**
 * Measures the highest total area coverage of a profile, rounded. Undefined if the bytes are not a CMYK output profile.
 */
function measuredLimit(bytes: Uint8Array): number | undefined {
  let profile: PressProfile;
  try {
    profile = openPressProfile(bytes);
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
  const inks = new Float64Array(4);
  let most = 0;
  for (const intent of ['perceptual', 'relative'] as const)
    for (const light of LIGHTNESS)
      for (const a of CHROMA)
        for (const b of CHROMA) {
          profile.inksFor([light, a, b], intent, inks);
          most = Math.max(most, 100 * (inks[0]! + inks[1]! + inks[2]! + inks[3]!));
        }
  const percent = ROUNDING_STEP * Math.round(most / ROUNDING_STEP);
  return percent >= PERCENT_MIN ? percent : undefined;
}

/**
 * Reduces four inks to a limit: black is kept, and cyan, magenta and yellow are scaled by the same factor. Inks within
 * the limit are returned unchanged, and the reduction is continuous at the limit.
 * @param inks 0 to 1
 * @param most maximum sum; 4 is four full inks
 */
export function reduceInks(
  [cyan, magenta, yellow, black]: readonly [number, number, number, number],
  most: number,
): readonly [number, number, number, number] {
  const colored = cyan + magenta + yellow;
  if (colored === 0 || colored + black <= most) return [cyan, magenta, yellow, black];
  const share = Math.max(0, most - black) / colored;
  return [share * cyan, share * magenta, share * yellow, black];
}
