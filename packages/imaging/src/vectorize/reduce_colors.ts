import { clusterColors } from '../palette/cluster_colors.ts';
import { oklabDistance, oklabOf } from '../pixels/oklab.ts';
import type { Raster } from '../pixels/raster.ts';
import { areaSums, MOMENTS, meanColor } from './area_sums.ts';
import { type Partition, partition } from './partition.ts';
import type { Fill } from './write_svg.ts';

/** Red, green and blue, 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

interface Reduced {
  readonly areas: Partition;
  readonly fills: Fill[];
}

/** Gives every area the colour of a palette that is nearest to its mean (in OKLab), and joins neighbours of one colour. */
export function restrictColors(picture: Raster, areas: Partition, palette: readonly Color[]): Reduced {
  const labs = palette.map((color) => oklabOf(...color));
  const chosen = meansOf(picture, areas).map((mean) => {
    const lab = oklabOf(mean[0]!, mean[1]!, mean[2]!);
    const distances = labs.map((other) => oklabDistance(lab, other));
    return palette[distances.indexOf(Math.min(...distances))]!;
  });
  return joinAlike(picture, areas, chosen);
}

/** Restricts areas as `restrictColors` does, to the `count` colours that fit them best. */
export function reduceColors(picture: Raster, areas: Partition, count: number): Reduced {
  const means = meansOf(picture, areas);
  const weights = new Float64Array(areas.count);
  for (const label of areas.labels) if (label >= 0) weights[label]!++;
  const labs = Float64Array.from(means.flatMap((mean) => oklabOf(mean[0]!, mean[1]!, mean[2]!)));
  const { owners, masses } = clusterColors({ count: areas.count, weights, labs }, count);
  const sums = Array.from(masses, () => [0, 0, 0, 0]);
  for (const [area, mean] of means.entries()) {
    const sum = sums[owners[area]!]!;
    for (let channel = 0; channel < 3; channel++) sum[channel]! += weights[area]! * mean[channel]!;
    sum[3]! += weights[area]!;
  }
  const colors = sums.map(([red, green, blue, weight]) =>
    [red!, green!, blue!].map((sum) => Math.round(sum / weight!)),
  );
  return joinAlike(
    picture,
    areas,
    Array.from(owners, (owner) => colors[owner]! as unknown as Color),
  );
}

function meansOf(picture: Raster, { labels, count }: Partition): number[][] {
  const sums = areaSums(picture, labels, count);
  return Array.from({ length: count }, (_, area) => meanColor(sums, MOMENTS * area));
}

function joinAlike(picture: Raster, { labels }: Partition, colors: readonly Color[]): Reduced {
  const painted = new Uint8Array(picture.data);
  for (let pixel = 0; pixel < labels.length; pixel++) {
    const color = colors[labels[pixel]!];
    for (let channel = 0; color && channel < 3; channel++) painted[4 * pixel + channel] = color[channel]!;
  }
  const areas = partition({ ...picture, data: painted }, 0);
  const fills: Fill[] = new Array(areas.count);
  for (let pixel = 0; pixel < areas.labels.length; pixel++) {
    const area = areas.labels[pixel]!;
    if (area >= 0) fills[area] ??= { color: [...painted.subarray(4 * pixel, 4 * pixel + 3)] };
  }
  return { areas, fills };
}
