import { lightTable } from '../../editor/light_tables.ts';
import { connectedComponents } from '../../pixels/connected_components.ts';
import { gaussianBlur } from '../../pixels/gaussian_blur.ts';
import { largestComponent } from '../../pixels/largest_component.ts';
import type { Plane, Size } from '../../pixels/plane.ts';
import type { Raster } from '../../pixels/raster.ts';
import {
  type ColorRaster,
  colorAt,
  colorDistance,
  labRasterOf,
  lightRasterOf,
  meanColor,
} from './color_raster.ts';
import { LOOK_PX, reduced } from './find_surface.ts';
import { evenPixels, grow, inverted, maskOf } from './masks.ts';
import { areaOf, type Quad, scaleQuad } from './quad.ts';

/** Largest step of OKLab between neighbours of a bare surface; folds of cloth are steeper than what paper shows. */
const STEP = 0.03;
/** Unless so much of the shape is one even area, what differs is print on it, not something before it. */
const BARE_MIN = 0.55;
/** What hides the surface covers at least this part of it. */
const SHARE_MIN = 0.004;
/** Distance in OKLab to the bare surface from which a pixel is something else. */
const UNLIKE = 0.09;

/** How much of each pixel is hidden, 0 to 1. */
export interface Hidden extends Plane {
  /** Linear light, three numbers a pixel, of the bare surface under pixels that are hidden in part. Absent: as the pixel. */
  readonly bareLight?: Float32Array;
}

/** Pixels that something hides for sure, and those about them. */
interface Occluders {
  readonly core: Uint8Array;
  readonly grown: Uint8Array;
}

/**
 * How much of each pixel lies behind something, 0 to 1: a hand, a plant, another thing that reaches into the shape from outside it and looks
 * unlike its bare surface. Undefined where the surface is not bare or nothing hides it.
 */
export function hiddenPlaces(photo: Raster, quad: Quad): Hidden | undefined {
  const scale = Math.min(1, LOOK_PX / Math.max(photo.width, photo.height));
  const reducedPhoto = reduced(photo, scale);
  const small = labRasterOf(reducedPhoto);
  const shape = scaleQuad(quad, scale, scale);
  const inside = pixelsIn(shape, small);
  const positions = bareArea(small, inside);
  if (!positions) return undefined;
  const bare = maskOf(positions, small);
  const zone = occluders(small, { shape, inside, bare, color: meanColor(small, positions) });
  return zone && unmixed(photo, lightRasterOf(reducedPhoto), { zone, bare, scale });
}

/** Pixels whose middle lies within a convex shape. */
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

/** Positions of the largest even area within, if most of the shape is. */
function bareArea(lab: ColorRaster, inside: Uint8Array): Int32Array | undefined {
  const even = evenPixels(lab, STEP).map((is, at) => is & inside[at]!);
  const largest = largestComponent(even, lab.width);
  const whole = inside.reduce((sum, is) => sum + is, 0);
  return largest.length > 0 && largest.length >= BARE_MIN * whole ? largest : undefined;
}

interface Shape {
  readonly shape: Quad;
  readonly inside: Uint8Array;
  readonly bare: Uint8Array;
  /** Of the bare surface, in OKLab. */
  readonly color: ArrayLike<number>;
}

/** Areas that are not bare, large enough, and reach the edge of the shape. */
function occluders(lab: ColorRaster, { shape, inside, bare, color }: Shape): Occluders | undefined {
  const { width, height } = lab;
  const other = new Uint8Array(inside.length);
  for (let at = 0; at < other.length; at += 1)
    if (inside[at] && !bare[at] && colorDistance(lab, at, color, 0) > UNLIKE) other[at] = 1;
  const zone = new Uint8Array(inside.length);
  let found = false;
  for (const patch of connectedComponents(other, width)) {
    if (patch.length < SHARE_MIN * areaOf(shape)) continue;
    const isOpen = patch.filter((at) => isAtEdge(at, inside, { width, height })).length;
    // A rim of a pixel along a side is the frame, not something before it.
    if (isOpen === 0 || patch.length < 3 * isOpen) continue;
    found = true;
    for (const at of patch) zone[at] = 1;
  }
  if (!found) return undefined;
  const core = inverted(grow(inverted(zone), lab, 1));
  // What is thin has no middle.
  return { core: core.includes(1) ? core : zone, grown: grow(zone, lab, 3) };
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

/** In each pixel about what hides: how much of it is not the bare surface, by colours of both nearby. */
function unmixed(photo: Raster, small: ColorRaster, { zone, bare, scale }: Zone): Hidden {
  const surface = spread(small, bare);
  const before = spread(small, zone.core);
  const { width, height, data } = photo;
  const table = lightTable(photo);
  const hidden = new Float32Array(width * height);
  const bareLight = new Float32Array(3 * width * height);
  const [near, far] = [new Float64Array(3), new Float64Array(3)];
  for (let y = 0; y < height; y += 1) {
    const row = Math.min(small.height - 1, Math.floor((y + 0.5) * scale));
    for (let x = 0; x < width; x += 1) {
      const column = Math.min(small.width - 1, Math.floor((x + 0.5) * scale));
      const place = row * small.width + column;
      if (!zone.grown[place]) continue;
      const at = y * width + x;
      colorAt(surface, (x + 0.5) * scale, (y + 0.5) * scale, near);
      bareLight.set(near, 3 * at);
      if (zone.core[place]) {
        hidden[at] = 1;
        continue;
      }
      colorAt(before, (x + 0.5) * scale, (y + 0.5) * scale, far);
      let [along, length] = [0, 0];
      for (let channel = 0; channel < 3; channel += 1) {
        const way = far[channel]! - near[channel]!;
        along += way * (table[data[3 * at + channel]!]! - near[channel]!);
        length += way * way;
      }
      const share = length > 0 ? along / length : 0;
      hidden[at] = Math.max(0, Math.min(1, (share - NOISE) / (1 - 2 * NOISE)));
    }
  }
  return { width, height, data: hidden, bareLight };
}

/** Shares this near to 0 and 1 are such. */
const NOISE = 0.08;

/** Light at the places of a mask, spread over all others. */
function spread({ width, height, values }: ColorRaster, mask: Uint8Array): ColorRaster {
  const result = new Float32Array(values.length);
  const weights = new Float32Array(mask.length);
  // Nearby places count most; far from any, those farther away do.
  for (const [sigma, factor] of SPREADS) {
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

/** Widths in pixels, and how much each counts. */
const SPREADS = [
  [3, 1],
  [24, 1e-4],
] as const;
