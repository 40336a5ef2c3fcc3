import { renderFills, touchUpFills } from './fill_layers.ts';
import { findDots } from './find_dots.ts';
import { mixesSides } from './flatten_edges.ts';
import { type DotGroup, groupDots } from './group_dots.ts';
import { layDots } from './lay_dots.ts';
import type { Sketch } from './sketch.ts';
import type { VisibleParts } from './visible_parts.ts';
import { colorAt, type Fill } from './write_svg.ts';

interface Drawing {
  /** Of each layer. */
  readonly fills: readonly Fill[];
  /** The drawing's pixels on white, three channels each. */
  readonly drawn: Float32Array;
}

/**
 * Draws what is smaller than areas, such as the points of a pointillist, the threads of brocade or far leaves, as dots
 * over a drawing, whose `parts` are seen: at most `dotsMax`, where the sketch has prices for them. `target` is the picture on
 * white. Fills come back with what the dots leave them to show, the dots' own after them.
 */
export function drawDots(
  sketch: Sketch,
  drawing: Drawing,
  parts: VisibleParts,
  target: Float32Array,
  dotsMax: number,
): Drawing & { readonly dots: readonly DotGroup[] } {
  const { picture, dots: prices } = sketch;
  if (!prices) return { ...drawing, dots: [] };
  const { fills } = drawing;
  const missing = {
    target,
    drawn: drawing.drawn,
    isFree: (pixel: number) => isMissed(sketch, pixel, prices.dot),
  };
  const enough = prices.enough * picture.width * picture.height;
  const found = findDots(missing, picture, { dot: prices.dot, enough, dotsMax });
  if (found.length === 0) return { ...drawing, dots: [] };
  const groups = groupDots(found, prices.path);
  const dotted = layDots(parts, groups, picture);
  const colored = touchUpFills(
    [...fills, ...groups.map(({ color }) => ({ color }))],
    dotted,
    target,
    picture.width,
  );
  const dots = groups.map((group, index) => ({
    ...group,
    color: colorAt(colored[fills.length + index]!, 0, 0),
  }));
  return { fills: colored, drawn: renderFills(colored, dotted, target.length, picture.width), dots };
}

/** Of what a dot takes off, the share that the fill of its pixel's area has to miss there. */
const FILL_SHARE = 1 / 4;

/**
 * Whether it is an area's fill that misses a pixel. Where curves pass beside the line they follow, or a soft edge is neither
 * of its sides, dots would only make the edge rough.
 */
function isMissed({ picture, areas, fills }: Sketch, pixel: number, dotWorth: number): boolean {
  const area = areas.labels[pixel]!;
  if (area < 0) return false;
  const x = pixel % picture.width;
  const color = colorAt(fills[area]!, x, (pixel - x) / picture.width);
  let missed = 0;
  for (let channel = 0; channel < 3; channel++)
    missed += (picture.data[4 * pixel + channel]! - color[channel]!) ** 2;
  return missed > FILL_SHARE * dotWorth && !mixesSides(picture, pixel);
}
