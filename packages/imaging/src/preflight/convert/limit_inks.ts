import { reduceInks } from '../../print/ink_limit.ts';
import type { ColorSpace } from '../pdf/color_space.ts';
import { ALL_INKS } from '../pdf/inks.ts';

/**
 * Reduces the inks of one colour to the limit.
 * @param inks each 0 to 1, as many as the space has
 * @returns undefined if the colour is within the limit
 */
export type LimitInks = (inks: ArrayLike<number>) => number[] | undefined;

/** Rounding tolerance for a sum of inks, as share of one ink. */
const TOLERANCE = 0.005;

/**
 * Creates a function that reduces colours of a space to a total area coverage limit: black stays, cyan, magenta and
 * yellow are scaled together, and spot colours only if that is not enough.
 * @param percent maximum sum of all inks
 * @returns undefined for colour spaces not in inks, and for a single ink
 */
export function inkLimiter(space: ColorSpace, percent: number): LimitInks | undefined {
  const most = percent / 100;
  if (space.family === 'Indexed') return undefined;
  if (space.basis === 'cmyk' && space.components === 4)
    return (inks) => {
      const own = [0, 1, 2, 3].map((at) => clamp(inks[at])) as [number, number, number, number];
      const total = own.reduce((sum, ink) => sum + ink, 0);
      return total > most + TOLERANCE ? [...reduceInks(own, most)] : undefined;
    };
  const names = space.inks ?? [];
  if (space.basis !== 'inks' || names.length < 2 || names.includes(ALL_INKS)) return undefined;
  const kinds = names.map(kindOf);
  return (inks) =>
    limitColorants(
      kinds,
      Array.from(names, (_, at) => clamp(inks[at])),
      most,
    );
}

type Kind = 'colored' | 'black' | 'spot' | 'none';

function kindOf(name: string): Kind {
  if (name === 'None') return 'none';
  if (name === 'Black') return 'black';
  return /^(Cyan|Magenta|Yellow)$/.test(name) ? 'colored' : 'spot';
}

function limitColorants(kinds: readonly Kind[], inks: readonly number[], most: number): number[] | undefined {
  const sumOf = (kind: Kind) => inks.reduce((sum, ink, at) => (kinds[at] === kind ? sum + ink : sum), 0);
  const [colored, black, spot] = [sumOf('colored'), sumOf('black'), sumOf('spot')];
  if (colored + black + spot <= most + TOLERANCE) return undefined;
  const left = Math.max(0, most - black - spot);
  const shares: Record<Kind, number> = {
    colored: colored > left ? left / colored : 1,
    black: 1,
    spot: spot > most - black ? Math.max(0, most - black) / spot : 1,
    none: 1,
  };
  return inks.map((ink, at) => ink * shares[kinds[at]!]);
}

const clamp = (value: number | undefined): number => Math.min(1, Math.max(0, value ?? 0));
