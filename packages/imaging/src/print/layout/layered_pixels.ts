import { openPicture } from '../../codecs/open_picture.ts';
import { decodeRaster } from '../../codecs/read_raster.ts';
import type { Size } from '../../pixels/plane.ts';
import type { Raster } from '../../pixels/raster.ts';

/** Alpha from which the colour of a pixel is reliable. */
const CERTAIN = 230;
/** Extension of the colours under the transparent edge: a RIP interpolates between neighbouring pixels. */
const EDGE_PX = 4;

/**
 * Separates an image into colours and opacity. Along the edge, the colours of the neighbouring opaque pixels replace
 * hidden colours of transparent pixels, which would otherwise show through.
 * @param within maximum pixels per side
 */
export async function layeredPixels(
  bytes: Uint8Array,
  within: Size | undefined,
): Promise<{ readonly raster: Raster; readonly opacity: Uint8Array }> {
  const opened = openPicture(bytes).toColourspace('srgb').ensureAlpha();
  const { width, height, data } = await decodeRaster(
    within ? opened.resize({ ...within, fit: 'inside', withoutEnlargement: true }) : opened,
  );
  const opacity = new Uint8Array(width * height);
  const colors = new Uint8Array(3 * width * height);
  for (let at = 0; at < opacity.length; at += 1) {
    opacity[at] = data[4 * at + 3]!;
    colors.set(data.subarray(4 * at, 4 * at + 3), 3 * at);
  }
  extendColors(colors, opacity, width);
  return { raster: { width, height, channels: 3, data: colors }, opacity };
}

/** Spreads reliable colours outwards, one pixel per step. */
function extendColors(colors: Uint8Array, opacity: Uint8Array, width: number): void {
  const isKnown = Uint8Array.from(opacity, (value) => (value >= CERTAIN ? 1 : 0));
  const neighbours = (at: number): number[] => {
    const x = at % width;
    const around = [at - width, at + width, ...(x > 0 ? [at - 1] : []), ...(x < width - 1 ? [at + 1] : [])];
    return around.filter((one) => one >= 0 && one < opacity.length);
  };
  let edge: number[] = [];
  for (let at = 0; at < opacity.length; at += 1)
    if (isKnown[at] === 1 && neighbours(at).some((one) => isKnown[one] === 0)) edge.push(at);
  for (let step = 0; step < EDGE_PX; step += 1) {
    const next: number[] = [];
    for (const from of edge)
      for (const at of neighbours(from)) {
        if (isKnown[at] === 1) continue;
        isKnown[at] = 1;
        colors.copyWithin(3 * at, 3 * from, 3 * from + 3);
        next.push(at);
      }
    edge = next;
  }
}
