import type { Partition } from './partition.ts';

/** A line between areas takes a node about every so many pixels, and each area some for where its lines meet. */
const NODE_PX = 4.5;
const AREA_NODES = 5;

/** About how many nodes areas with so many pixel sides of outline take: half to twice as many, by how rough they are. */
export const nodesAbout = (outline: number, areas: number): number =>
  Math.round(outline / NODE_PX + AREA_NODES * areas);

/** Pixel sides between unlike labels. */
export function outlineOf({ labels, width }: Partition): number {
  let sides = 0;
  for (let pixel = 0, column = 1; pixel < labels.length; pixel++, column++) {
    if (column === width) column = 0;
    else if (labels[pixel] !== labels[pixel + 1]) sides++;
    if (pixel + width < labels.length && labels[pixel] !== labels[pixel + width]) sides++;
  }
  return sides;
}
