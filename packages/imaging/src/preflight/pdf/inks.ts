import type { ColorSpace } from './color_space.ts';

/** Tint of each ink from 0 to 1, by name: Cyan, Magenta, Yellow, Black and spot colours. */
export type Inks = ReadonlyMap<string, number>;

const PROCESS = ['Cyan', 'Magenta', 'Yellow', 'Black'] as const;
export const ALL_INKS = 'All';

export const isProcessInk = (ink: string): boolean => (PROCESS as readonly string[]).includes(ink);
const clamp = (value: number | undefined): number => Math.min(1, Math.max(0, value ?? 0));

/** Returns the inks of a colour. Undefined for RGB, Lab and patterns. */
export function inksOf(space: ColorSpace, values: readonly number[]): Inks | undefined {
  if (space.family === 'Indexed') {
    const { base, lookup } = space;
    if (!base || !lookup) return undefined;
    const from = Math.round(values[0] ?? 0) * base.components;
    return inksOf(
      base,
      Array.from({ length: base.components }, (_, index) => (lookup[from + index] ?? 0) / 255),
    );
  }
  if (space.basis === 'gray') return new Map([['Black', 1 - clamp(values[0])]]);
  if (space.basis === 'cmyk') return new Map(PROCESS.map((ink, index) => [ink, clamp(values[index])]));
  if (space.basis !== 'inks') return undefined;
  const inks = new Map<string, number>();
  for (const [index, ink] of space.inks!.entries()) {
    if (ink === 'None') continue;
    if (ink === ALL_INKS) for (const one of PROCESS) inks.set(one, clamp(values[index]));
    inks.set(ink, clamp(values[index]));
  }
  return inks;
}

/** Total area coverage in per cent; four full inks are 400. */
export const totalInk = (inks: Inks): number =>
  100 * [...inks].reduce((sum, [ink, share]) => (ink === ALL_INKS ? sum : sum + share), 0);

/** Tests for black ink only, above 95 %. */
export const isBlackOnly = (inks: Inks): boolean =>
  (inks.get('Black') ?? 0) > 0.95 && [...inks].every(([ink, share]) => ink === 'Black' || share === 0);

export const isPaper = (inks: Inks): boolean => [...inks.values()].every((share) => share === 0);

/** Approximates a colour in sRGB bytes without profiles, for drawings only. */
export function approximateRgb(space: ColorSpace, values: readonly number[]): [number, number, number] {
  if (space.basis === 'rgb' && space.family !== 'Indexed')
    return [0, 1, 2].map((index) => Math.round(255 * clamp(values[index]))) as [number, number, number];
  if (space.basis === 'rgb' && space.base && space.lookup) {
    const from = 3 * Math.round(values[0] ?? 0);
    return [0, 1, 2].map((index) => space.lookup![from + index] ?? 0) as [number, number, number];
  }
  if (space.basis === 'lab') {
    const light = Math.round(2.55 * Math.min(100, Math.max(0, values[0] ?? 50)));
    return [light, light, light];
  }
  if (space.family === 'Separation' && space.fullTint?.length === 4) {
    const tint = clamp(values[0]);
    return rgbOfInks(space.fullTint.map((share) => share * tint));
  }
  const inks = inksOf(space, values);
  if (!inks) return [200, 200, 200];
  const spots = [...inks].filter(([ink]) => !isProcessInk(ink) && ink !== ALL_INKS);
  const spot = Math.max(0, ...spots.map(([, share]) => share));
  return rgbOfInks(PROCESS.map((ink) => Math.max(inks.get(ink) ?? 0, spot * 0.6)));
}

function rgbOfInks([cyan = 0, magenta = 0, yellow = 0, black = 0]: readonly number[]): [
  number,
  number,
  number,
] {
  return [cyan, magenta, yellow].map((ink) => Math.round(255 * (1 - clamp(ink)) * (1 - clamp(black)))) as [
    number,
    number,
    number,
  ];
}
