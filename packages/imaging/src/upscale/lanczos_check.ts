import { decodeRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import type { Size } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { roundTo } from '../pixels/round_to.ts';
import { compareRasters } from '../quality/compare_rasters.ts';
import { resample } from '../resample/resample.ts';
import { detailCrop } from './detail_crop.ts';
import { CHECKED_PX, checkedSize } from './model_cost.ts';

/** Fidelity of a model compared with Lanczos, both upscaling a reduced copy of the most detailed crop. */
export interface LanczosCheck {
  /** PSNR difference over RGB, in dB; negative if Lanczos is closer. */
  readonly gainDb: number;
  /** Difference of SSIM. */
  readonly gainSsim: number;
}

/**
 * Compares an upscaler with Lanczos, if the image is large enough.
 * @param scale factor per side
 * @param enlarge receives the reduced copy as PNG and returns it upscaled, in any format
 * @throws EngineError undecodable_image, unsupported_image, image_too_large
 */
export async function checkAgainstLanczos(
  bytes: Uint8Array,
  scale: number,
  enlarge: (png: Uint8Array) => Promise<Uint8Array>,
): Promise<LanczosCheck | undefined> {
  const part = await detailCrop(bytes, CHECKED_PX);
  const small = checkedSize(part, scale);
  if (!small) return undefined;
  const size = { width: small.width * scale, height: small.height * scale };
  const truth = cornerOf(part, size);
  const reduced = await reduce(truth, small);
  const { data, ...raw } = reduced;
  const png = await sharp(data, { raw }).png().toBuffer();
  const made = await decodeRaster(
    sharp(await enlarge(png))
      .toColourspace('srgb')
      .removeAlpha(),
  );
  const [own, kernel] = [made, resample(reduced, { ...size, light: 'gamma' })].map((picture) =>
    compareRasters(truth, picture),
  );
  return {
    gainDb: roundTo(own!.psnr_db - kernel!.psnr_db, 2),
    gainSsim: roundTo((own!.ssim ?? 0) - (kernel!.ssim ?? 0), 4),
  };
}

/** Bicubic, like the training data of the models. */
const reduce = ({ data, ...raw }: Raster, size: Size): Promise<Raster> =>
  decodeRaster(
    sharp(data, { raw })
      .resize({ ...size, fit: 'fill', kernel: 'cubic' })
      .toColourspace('srgb'),
  );

/** Crops the right and bottom so that the sides are multiples of the scale. */
function cornerOf({ channels, data, ...whole }: Raster, { width, height }: Size): Raster {
  const part = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y += 1) {
    const from = y * whole.width * channels;
    part.set(data.subarray(from, from + width * channels), y * width * channels);
  }
  return { width, height, channels, data: part };
}
