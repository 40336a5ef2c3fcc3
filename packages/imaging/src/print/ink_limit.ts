import { openPressProfile, type PressProfile } from '../color/press_profile.ts';
import { profileName } from '../color/profile_name.ts';
import { EngineError } from '../errors/engine_error.ts';
import type { PrintCondition } from './sheet_file.ts';

/** How much ink a printing condition takes, and how black is printed with it. Inks in per cent. */
export interface InkLimit {
  /** Sum of all inks in one place (total area coverage). */
  readonly percent: number;
  /** Above it the sheet is refused, and not only warned of. */
  readonly most: number;
  /** What it belongs to, for messages: "FOGRA51". */
  readonly of: string;
  /** Where it is from: published with the condition, stated or measured in the profile, or usual on coated paper. */
  readonly basis: 'published' | 'profile' | 'usual';
  /** For large black areas: cyan, magenta, yellow and black. Small black text is black ink alone on every paper. */
  readonly richBlack: readonly [number, number, number, number];
}

/** A sum that is higher by no more is rounding: of four plates in 8 bits, and between the nodes of a profile. */
export const INK_TOLERANCE = 5;
/** Above the limit by more, a sheet sets off on every press. Trade practice; ISO 12647-2:2004 has 350 for sheet-fed presses. */
const BEYOND = 40;
const MOST = 350;

/**
 * Limits that were published with characterisations and with the profiles made of them. Names are compared by their letters and digits.
 * Sources: ECI, readme of ISO Coated v2 (FOGRA39, 2007), of PSO Uncoated ISO12647 (FOGRA47, 2009), of PSO Coated v3 and PSO Uncoated v3
 * (FOGRA51 and FOGRA52, 2015); WAN-IFRA, WAN-IFRAnewspaper26v5 for ISO 12647-3:2013, and ISOnewspaper26v4 for its edition of 2005;
 * SWOP, Specifications for Web Offset Publications, 11th edition, for TR 001, TR 003 and TR 005.
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
const USUAL = { percent: 300, of: 'coated paper' };
/** Limits that a profile may state in its name: "ISO Coated v2 300% (ECI)". */
const STATED = /(?<!\d)([23]\d\d|400)\s?%/;

/** Trade practice; each leaves room below the limit of its paper. */
const RICH_BLACK = {
  coated: [60, 40, 40, 100],
  uncoated: [40, 30, 30, 100],
  newsprint: [30, 20, 20, 100],
} as const;
const UNCOATED = /uncoated|fogra(29|47|52|30)(?!\d)/;
const NEWSPRINT_PERCENT = 240;

/**
 * The limit of a printing condition: the one its profile states in its name, the published one, or the most that its profile ever asks for.
 * @param names of the condition and its profile, the most exact first
 * @param profile its ICC profile, which is read where the names say nothing
 */
export function inkLimitOf(names: readonly (string | undefined)[], profile?: Uint8Array): InkLimit {
  const known = names.filter((name) => name !== undefined && name.trim() !== '') as string[];
  const letters = known.map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ''));
  const [of = USUAL.of] = known;
  const stated = known.map((name) => STATED.exec(name)?.[1]).find((percent) => percent !== undefined);
  const published = PUBLISHED.find(([name]) => letters.some((one) => name.test(one)));
  if (stated !== undefined) return limit(Number(stated), { of, basis: 'profile', letters });
  if (published) return limit(published[1], { of: published[2], basis: 'published', letters });
  const measured = profile && measuredLimit(profile);
  if (measured !== undefined) return limit(measured, { of, basis: 'profile', letters });
  return limit(USUAL.percent, { of: USUAL.of, basis: 'usual', letters });
}

/** That of the condition a file is made for. */
export const inkLimitOfCondition = ({ name, registered, profile }: PrintCondition): InkLimit =>
  inkLimitOf([registered, name, profileName(profile)], profile);

function limit(
  percent: number,
  { of, basis, letters }: Pick<InkLimit, 'of' | 'basis'> & { readonly letters: readonly string[] },
): InkLimit {
  const isUncoated = letters.some((one) => UNCOATED.test(one));
  const paper = percent <= NEWSPRINT_PERCENT ? 'newsprint' : isUncoated ? 'uncoated' : 'coated';
  const most = Math.max(percent + INK_TOLERANCE, Math.min(MOST, percent + BEYOND));
  return { percent, most, of: of.slice(0, 80), basis, richBlack: RICH_BLACK[paper] };
}

/** "60, 40, 40, 100 % (240 %)" */
export const richBlackText = ({ richBlack }: InkLimit): string =>
  `${richBlack.join(', ')} % (${richBlack.reduce((sum, ink) => sum + ink, 0)} %)`;

/** Dark colours that are asked for; the darkest are not always neutral. */
const LIGHTNESS = [0, 5, 10, 15, 20, 30, 40];
const CHROMA = [-40, -20, 0, 20, 40];
const ROUNDED = 5;
const LEAST = 150;

/** The most ink a profile asks for, rounded; undefined for what is no profile of a press. */
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
  const percent = ROUNDED * Math.round(most / ROUNDED);
  return percent >= LEAST ? percent : undefined;
}

/**
 * Four inks brought to a limit: black stays, and what is left is shared by the others as they stood. It changes nothing below the limit and has no
 * step at it.
 * @param inks 0 to 1
 * @param most sum that is allowed, 4 for four full inks
 */
export function reducedInks(
  [cyan, magenta, yellow, black]: readonly [number, number, number, number],
  most: number,
): readonly [number, number, number, number] {
  const colored = cyan + magenta + yellow;
  if (colored === 0 || colored + black <= most) return [cyan, magenta, yellow, black];
  const share = Math.max(0, most - black) / colored;
  return [share * cyan, share * magenta, share * yellow, black];
}
