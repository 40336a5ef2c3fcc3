import { DOT_COVERS } from './dot.ts';
import type { DotGroup } from './group_dots.ts';
import type { VisibleParts } from './visible_parts.ts';

/** What can be seen of layers and of groups of dots above them, a layer for each group. */
export function layDots(
  parts: VisibleParts,
  groups: readonly DotGroup[],
  { width, height }: { width: number; height: number },
): VisibleParts {
  const open = new Float32Array(width * height).fill(1);
  const lists = groups.toReversed().map(({ dots }) => {
    const cover = new Map<number, number>();
    for (const { pixel, place } of dots) {
      const { across, down, shares } = DOT_COVERS[place]!;
      for (const [index, share] of shares.entries()) {
        const at = pixel + down[index]! * width + across[index]!;
        cover.set(at, 1 - (1 - (cover.get(at) ?? 0)) * (1 - share));
      }
    }
    return [...cover].map(([pixel, share]) => {
      const visible = share * open[pixel]!;
      open[pixel]! -= visible;
      return { pixel, visible };
    });
  });
  lists.reverse();
  const ends = [...parts.starts];
  for (const list of lists) ends.push(ends.at(-1)! + list.length);
  const pixels = new Int32Array(ends.at(-1)!);
  const shares = new Float32Array(ends.at(-1)!);
  pixels.set(parts.pixels);
  for (const [index, pixel] of parts.pixels.entries()) shares[index] = parts.shares[index]! * open[pixel]!;
  let index = parts.pixels.length;
  for (const { pixel, visible } of lists.flat()) {
    pixels[index] = pixel;
    shares[index++] = visible;
  }
  return { starts: Int32Array.from(ends), pixels, shares };
}
