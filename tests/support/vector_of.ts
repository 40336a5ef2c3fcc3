import { CLIP_OUTPUTS } from '@atelier/imaging/vision/clip/outputs.ts';

/** What a stand-in of a pair of encoders gives: one vector for every picture and text. */
export function vectorOf(...values: readonly number[]) {
  const vector = { data: Float32Array.from(values), sides: [1, values.length] };
  return new Map(Object.values(CLIP_OUTPUTS).map((output) => [output, vector] as const));
}
