import { lightTable } from '../../editor/light_tables.ts';
import { connectedComponents } from '../../pixels/connected_components.ts';
import { gaussianBlur } from '../../pixels/gaussian_blur.ts';
import { largestComponent } from '../../pixels/largest_component.ts';
import type { Plane, Size } from '../../pixels/plane.ts';
import type { Raster } from '../../pixels/raster.ts';
import {
  type ColorRaster,
  colorDistance,
  meanColor,
  sampleColor,
  toLabRaster,
  toLinearRaster,
} from './color_raster.ts';
import { DETECTION_SIDE_PX, downsample } from './find_surface.ts';
import { dilate, inverted, maskOf, uniformPixels } from './masks.ts';
import { type Quad, quadArea, scaleQuad } from './quad.ts';

/** Largest OKLab step between neighbouring pixels of a bare surface; folds of cloth are steeper than shading on paper. */
const STEP = 0.03;
/** If less of the shape is one uniform region, deviating pixels are print on the surface, not an occluder. */
const BARE_MIN = 0.55;
/** Smallest area of an occluder, as a fraction of the shape. */
const SHARE_MIN = 0.004;
/** OKLab distance to the bare surface from which a pixel belongs to another object. */
const OCCLUDER_DISTANCE = 0.09;

/** Occlusion alpha of each pixel, 0 to 1. */
export interface Occlusion extends Plane {
  /** Linear RGB of the bare surface under partly occluded pixels, three values per pixel. Absent: as in the photo. */
  readonly bareLight?: Float32Array;
}

/** Definitely occluded pixels, and those dilated by the uncertain edge. */
interface Occluders {
  readonly core: Uint8Array;
  readonly dilated: Uint8Array;
}

/**
 * Estimates the alpha matte of occluders in front of the surface: a hand, a plant or another object that extends into the shape from
 * outside and differs in colour from the bare surface. Undefined if the surface is not bare or nothing occludes it.
 */
export function detectOcclusion(photo: Raster, quad: Quad): Occlusion | undefined {
  const scale = Math.min(1, DETECTION_SIDE_PX / Math.max(photo.width, photo.height));
  const reducedPhoto = downsample(photo, scale);
  const small = toLabRaster(reducedPhoto);
  const shape = scaleQuad(quad, scale, scale);
  const inside = pixelsIn(shape, small);
  const positions = findBareSurface(small, inside);
  if (!positions) return undefined;
  const bare = maskOf(positions, small);
  const zone = occluders(small, { shape, inside, bare, color: meanColor(small, positions) });
  return zone && solveMatting(photo, toLinearRaster(reducedPhoto), { zone, bare, scale });
}

/** Pixels whose centre is inside a convex shape. */
function pixelsIn(quad: Quad, { width, height }: Size): Uint8Array {
  const inside = new Uint8Array(width * height);
  for (let at = 0; at < inside.length; at += 1) {
    const [x, y] = [(at % width) + 0.5, Math.floor(at / width) + 0.5];
    const isIn = quad.every(([fromX, fromY], side) => {
      const [toX, toY] = quad[(side + 1) % 4]!;
      return (toX - fromX) * (y - fromY) - (toY - fromY) * (x - fromX) >= 0;
    });
    if (isIn) inside[at] = 1;
  }
  return inside;
}

/** Indices of the largest uniform region inside the shape, if it covers most of it. */
function findBareSurface(lab: ColorRaster, inside: Uint8Array): Int32Array | undefined {
  const even = uniformPixels(lab, STEP).map((is, at) => is & inside[at]!);
  const largest = largestComponent(even, lab.width);
  const whole = inside.reduce((sum, is) => sum + is, 0);
  return largest.length > 0 && largest.length >= BARE_MIN * whole ? largest : undefined;
}

interface Shape {
  readonly shape: Quad;
  readonly inside: Uint8Array;
  readonly bare: Uint8Array;
  /** Mean OKLab colour of the bare surface. */
  readonly color: ArrayLike<number>;
}

/** Regions that are not bare, large enough, and touch the edge of the shape. */
function occluders(lab: ColorRaster, { shape, inside, bare, color }: Shape): Occluders | undefined {
  const { width, height } = lab;
  const other = new Uint8Array(inside.length);
  for (let at = 0; at < other.length; at += 1)
    if (inside[at] && !bare[at] && colorDistance(lab, at, color, 0) > OCCLUDER_DISTANCE) other[at] = 1;
  const zone = new Uint8Array(inside.length);
  let found = false;
  for (const patch of connectedComponents(other, width)) {
    if (patch.length < SHARE_MIN * quadArea(shape)) continue;
    const isOpen = patch.filter((at) => isAtEdge(at, inside, { width, height })).length;
    // A one-pixel rim along a side is the frame, not an occluder.
    if (isOpen === 0 || patch.length < 3 * isOpen) continue;
    found = true;
    for (const at of patch) zone[at] = 1;
  }
  if (!found) return undefined;
  const core = inverted(dilate(inverted(zone), lab, 1));
  // A thin occluder has no core.
  return { core: core.includes(1) ? core : zone, dilated: dilate(zone, lab, 3) };
}

function isAtEdge(at: number, inside: Uint8Array, { width, height }: Size): boolean {
  const [x, y] = [at % width, Math.floor(at / width)];
  if (x === 0 || y === 0 || x === width - 1 || y === height - 1) return true;
  return !(inside[at - 1] && inside[at + 1] && inside[at - width] && inside[at + width]);
}

interface Zone {
  readonly zone: Occluders;
  readonly bare: Uint8Array;
  readonly scale: number;
}

/** Solves the matting equation in each pixel of the occluder zone, from the colours of surface and occluder nearby. */
function solveMatting(photo: Raster, small: ColorRaster, { zone, bare, scale }: Zone): Occlusion {
  const surface = extrapolate(small, bare);
  const before = extrapolate(small, zone.core);
  const { width, height, data } = photo;
  const table = lightTable(photo);
  const hidden = new Float32Array(width * height);
  const bareLight = new Float32Array(3 * width * height);
  const [near, far] = [new Float64Array(3), new Float64Array(3)];
  for (let y = 0; y < height; y += 1) {
    const row = Math.min(small.height - 1, Math.floor((y + 0.5) * scale));
    for (let x = 0; x < width; x += 1) {
      const column = Math.min(small.width - 1, Math.floor((x + 0.5) * scale));
      const position = row * small.width + column;
      if (!zone.dilated[position]) continue;
      const at = y * width + x;
      sampleColor(surface, (x + 0.5) * scale, (y + 0.5) * scale, near);
      bareLight.set(near, 3 * at);
      if (zone.core[position]) {
        hidden[at] = 1;
        continue;
      }
      sampleColor(before, (x + 0.5) * scale, (y + 0.5) * scale, far);
      let [along, length] = [0, 0];
      for (let channel = 0; channel < 3; channel += 1) {
        const direction = far[channel]! - near[channel]!;
        along += direction * (table[data[3 * at + channel]!]! - near[channel]!);
        length += direction * direction;
      }
      const share = length > 0 ? along / length : 0;
      hidden[at] = Math.max(0, Math.min(1, (share - ALPHA_NOISE) / (1 - 2 * ALPHA_NOISE)));
    }
  }
  return { width, height, data: hidden, bareLight };
}

/** Alphas within this distance of 0 and 1 are rounded to them. */
const ALPHA_NOISE = 0.08;

/** Extrapolates the light at the pixels of a mask to all others. */
function extrapolate({ width, height, values }: ColorRaster, mask: Uint8Array): ColorRaster {
  const result = new Float32Array(values.length);
  const weights = new Float32Array(mask.length);
  // Nearby pixels have the largest weight; distant ones matter only where none are near.
  for (const [sigma, factor] of BLUR_SCALES) {
    const size = { width, height };
    const found = gaussianBlur({ ...size, data: Float32Array.from(mask) }, sigma).data;
    for (let at = 0; at < weights.length; at += 1) weights[at]! += factor * found[at]!;
    for (let channel = 0; channel < 3; channel += 1) {
      const data = Float32Array.from(mask, (is, at) => (is ? values[3 * at + channel]! : 0));
      const sums = gaussianBlur({ ...size, data }, sigma).data;
      for (let at = 0; at < sums.length; at += 1) result[3 * at + channel]! += factor * sums[at]!;
    }
  }
  return {
    width,
    height,
    values: result.map((sum, at) => sum / Math.max(1e-12, weights[Math.floor(at / 3)]!)),
  };
}

/** Gaussian widths in pixels, and their weights. */
const BLUR_SCALES = [
  [3, 1],
  [24, 1e-4],
] as const;
