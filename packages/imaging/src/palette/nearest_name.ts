import { type Oklab, oklabDistance, oklabOf } from '../pixels/oklab.ts';

export interface ColorNames {
  /** Format: "ff0000 red, 0000ff blue"; a name may occur several times. */
  readonly names: string;
  /** OKLab chroma up to which a named colour counts as neutral. */
  readonly neutralChroma: number;
  /** Chroma from which a colour of this OKLab lightness has a clear hue. */
  hueChromaAt(lightness: number): number;
}

/** Hue matters more than lightness for naming: without this weight, a very light grey is "lavender". */
const HUE_WEIGHT = 2.5;

/**
 * Returns a function that finds the nearest name for an 8-bit sRGB colour, 0xRRGGBB. A colour with a clear hue never gets a neutral name.
 */
export function nearestName({ names, neutralChroma, hueChromaAt }: ColorNames): (color: number) => string {
  const known = names
    .trim()
    .split(/,\s*/)
    .map((entry) => {
      const place = placeOf(Number.parseInt(entry.slice(0, 6), 16));
      return { name: entry.slice(7), place, isNeutral: chromaOf(place) < neutralChroma };
    });
  return (color) => {
    const place = placeOf(color);
    const hasHue = chromaOf(place) >= hueChromaAt(place[0]);
    let [name, least] = ['', Infinity];
    for (const named of known) {
      if (hasHue && named.isNeutral) continue;
      const distance = oklabDistance(named.place, place);
      if (distance < least) [name, least] = [named.name, distance];
    }
    return name;
  };
}

function placeOf(color: number): Oklab {
  const [lightness, a, b] = oklabOf(color >> 16, (color >> 8) & 255, color & 255);
  return [lightness, HUE_WEIGHT * a, HUE_WEIGHT * b];
}

const chromaOf = ([, a, b]: Oklab): number => Math.hypot(a, b) / HUE_WEIGHT;
