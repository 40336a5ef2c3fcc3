import { type DeepRaster, depthOf } from '../pixels/raster.ts';
import { BSPLINE, gaussianShape, type Light, type Part, resampleTo } from '../resample/resample.ts';

/** Wider blurs run on a reduced copy. */
const SIGMA_AT_FULL_SIZE = 3;
/** Pixels of the reduced copy per standard deviation: next to black, 1.5 is off by 1.4 levels of 255, 2 by less than one. */
const SIGMAS_OF_A_PIXEL = 2;

interface Blurring {
  /** The part of the raster to blur, including the influence of its surroundings. Default: all of it. */
  readonly part?: Part;
  readonly light: Light;
  readonly depth?: 8 | 16;
}

/**
 * Gaussian blur; edge pixels repeat outwards. Wide blurs use a reduced copy, with a sigma that accounts for the enlarging kernel: the difference is
 * below one level of 255, and the time does not grow with sigma.
 * @param sigma standard deviation, px
 */
export function blurRaster(raster: DeepRaster, sigma: number, { part, light, depth }: Blurring): DeepRaster {
  const whole = part ?? { left: 0, top: 0, width: raster.width, height: raster.height };
  const { width, height } = whole;
  const bits = depth ?? depthOf(raster);
  if (sigma < SIGMA_AT_FULL_SIZE)
    return resampleTo(raster, {
      width,
      height,
      part: whole,
      light,
      depth: bits,
      shape: gaussianShape(Math.max(0.05, sigma)),
    });
  const step = sigma / SIGMAS_OF_A_PIXEL;
  const across = Math.max(1, Math.round(width / step));
  const down = Math.max(1, Math.round(height / step));
  const margin = 3;
  // A margin around the part keeps the edges of the copy outside.
  const [stepX, stepY] = [width / across, height / down];
  const around = {
    left: whole.left - margin * stepX,
    top: whole.top - margin * stepY,
    width: width + 2 * margin * stepX,
    height: height + 2 * margin * stepY,
  };
  const remaining = Math.sqrt(sigma * sigma - (stepX * stepY) / 3);
  const small = resampleTo(raster, {
    width: across + 2 * margin,
    height: down + 2 * margin,
    part: around,
    light,
    depth: 16,
    shape: gaussianShape(remaining),
  });
  const inner = { left: margin, top: margin, width: across, height: down };
  return resampleTo(small, { width, height, part: inner, light, depth: bits, shape: BSPLINE });
}
