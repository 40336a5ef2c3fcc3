import { CLIP_OUTPUTS } from '@atelier/imaging/vision/clip/outputs.ts';

/** Result of a fake pair of encoders: one vector for every image and text. */
export function vectorOf(...values: readonly number[]) {
  const vector = { data: Float32Array.from(values), sides: [1, values.length] };
  return new Map(Object.values(CLIP_OUTPUTS).map((output) => [output, vector] as const));
}
