import { createCoverage } from './coverage.ts';
import { flattenCurve } from './curve.ts';
import type { Curve } from './fit_curve.ts';

/** What can be seen of each layer: pixels with the share of them that shows it. */
export interface VisibleParts {
  /** The pixels of layer n are from `starts[n]` up to `starts[n + 1]`. */
  readonly starts: Int32Array;
  readonly pixels: Int32Array;
  readonly shares: Float32Array;
}

/** Renders layers, each over those before it, into the share of every pixel that each one shows. */
export function visibleParts(
  layers: readonly { readonly outlines: readonly Curve[] }[],
  { width, height }: { width: number; height: number },
): VisibleParts {
  const cover = createCoverage(width, height);
  const open = new Float32Array(width * height).fill(1);
  const seen = { pixels: new Int32Array(open.length), shares: new Float32Array(open.length) };
  const lists: { pixels: Int32Array; shares: Float32Array }[] = new Array(layers.length);
  for (let layer = layers.length - 1; layer >= 0; layer--)
    lists[layer] = takeVisible(cover(layers[layer]!.outlines.map(flattenCurve)), open, width, seen);
  const starts = new Int32Array(layers.length + 1);
  for (const [layer, { pixels }] of lists.entries()) starts[layer + 1] = starts[layer]! + pixels.length;
  const pixels = new Int32Array(starts[layers.length]!);
  const shares = new Float32Array(pixels.length);
  for (const [layer, list] of lists.entries()) {
    pixels.set(list.pixels, starts[layer]!);
    shares.set(list.shares, starts[layer]!);
  }
  return { starts, pixels, shares };
}

/** Less than this is not seen in eight bits. */
const SHARE_MIN = 1 / 1024;

/**
 * Computes the visible coverage of a layer under the layers above, and reduces the remaining coverage by it. `seen` is
 * a scratch buffer.
 */
function takeVisible(
  { left, top, width, height, shares }: ReturnType<ReturnType<typeof createCoverage>>,
  open: Float32Array,
  canvasWidth: number,
  seen: { readonly pixels: Int32Array; readonly shares: Float32Array },
) {
  let count = 0;
  const across = Math.min(width, canvasWidth - left);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < across; column++) {
      const share = shares[row * width + column]!;
      if (share < SHARE_MIN) continue;
      const pixel = (top + row) * canvasWidth + left + column;
      const visible = share * open[pixel]!;
      if (visible < SHARE_MIN) continue;
      seen.pixels[count] = pixel;
      seen.shares[count++] = visible;
      open[pixel]! -= visible;
    }
  }
  return { pixels: seen.pixels.slice(0, count), shares: seen.shares.slice(0, count) };
}
