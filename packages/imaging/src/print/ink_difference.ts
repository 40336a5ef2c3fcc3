import { type Lab, labOfSrgb } from '../color/lab.ts';
import type { Size } from '../pixels/plane.ts';
import type { ColorDifference } from '../quality/color_difference.ts';
import { sampledDifferences } from '../quality/sampled_differences.ts';

/** Colour of inks from 0 to 1 beside the white of their paper: what the eye sees once it has got used to the paper. */
export type SeenInks = (inks: Float64Array) => Lab;

/** Part of a sheet, in its pixels. */
export interface Area extends Size {
  readonly left: number;
  readonly top: number;
}

type Samples = Uint8Array | Uint8ClampedArray;

const SRGB = 3;
/** Samples of a converted pixel: four inks, and how far they miss the colour. */
const CONVERTED = 5;
const INKS = 4;

/** How far inks are from the colours of the screen they were made of, over an area of a sheet that passes row by row. */
export function inkDifference({ left, top, ...size }: Area, seen: SeenInks) {
  const places = sampledDifferences(size);
  const inks = new Float64Array(INKS);
  const inkLab = (converted: Samples, at: number): Lab => {
    for (let ink = 0; ink < INKS; ink += 1) inks[ink] = converted[at + ink]! / 255;
    return seen(inks);
  };
  return {
    /** @param converted five samples a pixel, of the same row */
    row: (y: number, screen: Samples, converted: Samples): void =>
      places.row(
        y - top,
        (x) => screenLab(screen, SRGB * (left + x)),
        (x) => inkLab(converted, CONVERTED * (left + x)),
      ),
    report: (): ColorDifference | undefined => places.report(),
  };
}

/** How far a proof on the screen, paper and all, is from the picture. */
export function screenDifference({ left, top, ...size }: Area) {
  const places = sampledDifferences(size);
  return {
    row: (y: number, picture: Samples, proof: Samples): void =>
      places.row(
        y - top,
        (x) => screenLab(picture, SRGB * (left + x)),
        (x) => screenLab(proof, SRGB * (left + x)),
      ),
    report: (): ColorDifference | undefined => places.report(),
  };
}

const screenLab = (samples: Samples, at: number): Lab =>
  labOfSrgb(samples[at]!, samples[at + 1]!, samples[at + 2]!);
