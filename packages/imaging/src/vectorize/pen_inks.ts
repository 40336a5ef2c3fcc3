import { oklabDistance, oklabOf } from '../pixels/oklab.ts';
import type { Shares } from './measure_middle.ts';
import type { Sketch } from './sketch.ts';
import { hex } from './write_svg.ts';

/** The ink of one pen. */
export interface PenInk {
  readonly color: readonly number[];
  /** 0 where there is ink, -1 where not. */
  readonly labels: Int32Array;
  readonly shares: Shares;
}

/** Colours nearer to the paper's than this (ΔE_OK) are paper. */
const PAPER_ALIKE = 0.05;

/**
 * The ink of each colour of a sketch. `paper` is the colour that no pen draws; in a sketch of ink alone there is none, and the soft edges of the
 * ink say how much of each pixel it covers.
 */
export function penInks({ picture, areas, fills, paper }: Sketch): PenInk[] {
  const { width, height, data: rgba } = picture;
  if (paper === undefined) {
    const data = Uint8Array.from(areas.labels, (label, pixel) =>
      label >= 0 ? Math.max(128, rgba[4 * pixel + 3]!) : Math.min(127, rgba[4 * pixel + 3]!),
    );
    const labels = areas.labels.map((label) => Math.min(0, label));
    return [{ color: [0, 0, 0], labels, shares: { width, height, data } }];
  }
  const [red, green, blue] = paper;
  const ground = oklabOf(red, green, blue);
  const names = fills.map((fill) => hex('color' in fill ? fill.color : fill.stops[0]!));
  const colors = new Map(
    fills.map((fill, area) => [names[area]!, 'color' in fill ? fill.color : fill.stops[0]!]),
  );
  const pens = [...colors].filter(
    ([, color]) => oklabDistance(oklabOf(color[0]!, color[1]!, color[2]!), ground) >= PAPER_ALIKE,
  );
  return pens.map(([name, color]) => {
    const labels = areas.labels.map((label) => (label >= 0 && names[label] === name ? 0 : -1));
    return {
      color,
      labels,
      shares: { width, height, data: Uint8Array.from(labels, (label) => (label === 0 ? 255 : 0)) },
    };
  });
}
