import { DOT_PLACES, DOT_RADIUS } from './dot.ts';
import type { DotGroup } from './group_dots.ts';
import { hex } from './write_svg.ts';

/** Dots as lines of no length with round ends, a path for each colour; lengths are whole half pixels. `width` is that of the picture. */
export function writeDots(groups: readonly DotGroup[], width: number): string {
  if (groups.length === 0) return '';
  const paths = groups.map(({ color, dots }) => {
    let [x, y] = [0, 0];
    let text = '';
    for (const { pixel, place } of dots.toSorted((one, other) => one.pixel - other.pixel)) {
      const column = pixel % width;
      const [right, below] = DOT_PLACES[place]!;
      const [toX, toY] = [2 * column + 1 + right, (2 * (pixel - column)) / width + 1 + below];
      const down = toY - y;
      text += `m${toX - x}${down < 0 ? '' : ' '}${down}h0`;
      [x, y] = [toX, toY];
    }
    return `<path stroke="${hex(color)}" d="${text}"/>\n`;
  });
  return `<g fill="none" stroke-width="${4 * DOT_RADIUS}" stroke-linecap="round" transform="scale(.5)">\n${paths.join('')}</g>\n`;
}
