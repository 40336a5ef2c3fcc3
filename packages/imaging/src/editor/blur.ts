import { type DeepRaster, depthOf } from '../pixels/raster.ts';
import { BSPLINE, gaussianShape, type Light, type Part, resampleTo } from '../resample/resample.ts';

/** From here on the picture is blurred at a fraction of its size. */
const SIGMA_AT_FULL_SIZE = 3;
/** Pixels of the smaller copy in a standard deviation: with 1.5 beside black it is 1.4 levels of 255 off, with 2 less than one. */
const SIGMAS_OF_A_PIXEL = 2;

interface Blurring {
  /** What is blurred of the raster; absent: all of it. Its surroundings count. */
  readonly part?: Part;
  readonly light: Light;
  readonly depth?: 8 | 16;
}

/**
 * A Gaussian blur; beyond the edges the outermost pixels go on. A wide one is made of a copy that is reduced by the same Gaussian, less what
 * the kernel that enlarges it adds: it differs by less than a level of 255, and takes no longer the wider it is.
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
  // A margin of pixels about the part, so that its edges are not those of the copy.
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
