import type { Sharp } from 'sharp';
import { decodeRaster, readRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import type { Size } from '../pixels/plane.ts';
import { compareRasters } from './compare_rasters.ts';
import { type DetailMap, drawExpectedError, estimateError } from './draw_expected_error.ts';
import { countHalo, type Halo, haloPercent } from './halo.ts';
import type { Quality } from './types.ts';

/** Strips of the enlarged image that are searched for halos, and their height in rows: the whole image need not be in memory. */
const STRIPS = 4;
const STRIP_ROWS = 64;

/** Largest scale for which the map of invented detail is computed: it was fitted at factors 2 and 4. */
const SCALE_MAX = 4;

/**
 * Measures the fidelity of an enlarged image to its source. Reduced to the source size (bicubic, the reduction used to train networks), it
 * should equal the source, and pixels next to edges should stay within the local range. Holds one strip besides the source. Up to a scale
 * of 4 the result includes a map of invented detail.
 * @param large a PNG just written by an engine, at least as wide and high as `bytes`, showing all of it, with orientation applied
 * @throws EngineError undecodable_image, unsupported_image, image_too_large
 */
export async function compareEnlarged(
  bytes: Uint8Array,
  { bytes: large, ...size }: Size & { readonly bytes: Uint8Array },
): Promise<{ quality: Quality; detailMap?: DetailMap }> {
  const source = await readRaster(bytes);
  const { width, height } = source;
  const reduced = await decodeRaster(
    openOwn(large).resize({ width, height, fit: 'fill', kernel: 'cubic' }).toColourspace('srgb'),
  );
  const rows = Math.min(STRIP_ROWS, size.height);
  const halos: Halo[] = [];
  for (let strip = 0; strip < STRIPS; strip += 1) {
    const top = Math.floor(((strip + 0.5) * (size.height - rows)) / STRIPS);
    const part = { left: 0, top, width: size.width, height: rows };
    const seen = await decodeRaster(openOwn(large).extract(part).toColourspace('srgb'));
    const scale = height / size.height;
    halos.push(countHalo(source, seen, { left: 0, top: top * scale, width, height: rows * scale }));
  }
  const halo = haloPercent(...halos);
  const scale = size.width / width;
  const detailMap =
    scale <= SCALE_MAX ? await drawExpectedError(estimateError(source, reduced, scale), source) : undefined;
  const quality: Quality = {
    compared_at: 'source_size',
    ...compareRasters(source, reduced),
    ...(halo !== undefined && { halo_percent: halo }),
    ...(detailMap && { invented_percent: detailMap.inventedPercent }),
  };
  return { quality, ...(detailMap && { detailMap }) };
}

/** Results may have more pixels than input images. */
const openOwn = (png: Uint8Array): Sharp => sharp(png, { limitInputPixels: false, sequentialRead: true });
