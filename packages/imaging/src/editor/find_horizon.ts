import type { DeepRaster } from '../pixels/raster.ts';
import { resampleTo } from '../resample/resample.ts';

/** Longest side of the copy that is searched. */
const SIDE_PX = 800;
/** Steps of an angle, in degrees. */
const STEP = 0.1;
/** A peak has so many times the weight of the usual angle. */
const CLEAR = 2;

/**
 * By how many degrees the level or upright lines of a picture lean, clockwise above 0. Undefined where no line is clear, or where they
 * are level to a twentieth of a degree.
 *
 * Gradients vote for the angle of their edge; then, as those of single pixels are uncertain by degrees, the angle among the most voted is
 * taken along which the projected edges are sharpest.
 */
export function horizonAngle(raster: DeepRaster, most: number): number | undefined {
  const luma = smallLuma(raster);
  const edges = edgesWithin(luma, most + 2);
  if (edges.length < 3 * 50) return undefined;
  const angles: number[] = [];
  for (let angle = -most; angle <= most + 1e-9; angle += STEP) angles.push(Math.round(angle * 1000) / 1000);
  const scores = angles.map((angle) => sharpness(edges, angle, luma));
  const best = scores.indexOf(Math.max(...scores));
  const usual = [...scores].sort((one, other) => one - other)[scores.length >> 1]!;
  if (best === 0 || best === scores.length - 1 || scores[best]! < CLEAR * usual) return undefined;
  const angle = angles[best]! + STEP * vertex(scores[best - 1]!, scores[best]!, scores[best + 1]!);
  return Math.abs(angle) < STEP / 2 ? undefined : angle;
}

/** Where the top of a parabola through three neighbours lies, from −0.5 to 0.5. */
const vertex = (before: number, at: number, after: number): number => {
  const bend = before - 2 * at + after;
  return bend === 0 ? 0 : (0.5 * (before - after)) / bend;
};

interface Luma {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

function smallLuma(raster: DeepRaster): Luma {
  const scale = Math.min(1, SIDE_PX / Math.max(raster.width, raster.height));
  const width = Math.max(3, Math.round(raster.width * scale));
  const height = Math.max(3, Math.round(raster.height * scale));
  const { data, channels } = resampleTo(raster, { width, height, light: 'linear', depth: 8 });
  const luma = new Float32Array(width * height);
  for (let pixel = 0; pixel < luma.length; pixel += 1) {
    const at = pixel * channels;
    luma[pixel] = 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
  }
  return { width, height, data: luma };
}

/** x, y and weight of pixels on an edge within so many degrees of level or upright; upright ones have a weight below 0. */
function edgesWithin({ width, height, data }: Luma, degrees: number): number[] {
  const tangent = Math.tan((degrees * Math.PI) / 180);
  const edges: number[] = [];
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const across = data[at + 1]! - data[at - 1]!;
      const down = data[at + width]! - data[at - width]!;
      const strength = Math.hypot(across, down);
      if (strength < 16) continue;
      if (Math.abs(across) <= tangent * Math.abs(down)) edges.push(x, y, Math.min(64, strength));
      else if (Math.abs(down) <= tangent * Math.abs(across)) edges.push(x, y, -Math.min(64, strength));
    }
  return edges;
}

/** Sum of squares of the edges projected along an angle: large where many fall onto the same line. */
function sharpness(edges: readonly number[], degrees: number, { width, height }: Luma): number {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const level = new Float32Array(height + 2 * width);
  const upright = new Float32Array(width + 2 * height);
  for (let at = 0; at < edges.length; at += 3) {
    const [x, y, weight] = [edges[at]!, edges[at + 1]!, edges[at + 2]!];
    if (weight > 0) add(level, y - slope * x + width, weight);
    else add(upright, x + slope * y + height, -weight);
  }
  const energy = (bins: Float32Array): number => bins.reduce((sum, bin) => sum + bin * bin, 0);
  return energy(level) + energy(upright);
}

/** Shared between two bins, so that the score is smooth in the angle. */
function add(bins: Float32Array, place: number, weight: number): void {
  const bin = Math.floor(place);
  if (bin < 0 || bin + 1 >= bins.length) return;
  const share = place - bin;
  bins[bin]! += weight * (1 - share);
  bins[bin + 1]! += weight * share;
}
