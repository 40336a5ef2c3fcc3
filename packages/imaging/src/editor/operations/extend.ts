import type { Size } from '../../pixels/plane.ts';
import type { DeepRaster } from '../../pixels/raster.ts';
import { type Part, resampleTo } from '../../resample/resample.ts';
import { blurRaster } from '../blur.ts';
import { type Canvas, refuseSize } from '../canvas.ts';
import { parseColor, type Rgba } from '../colors.ts';
import type { EditContext, Perform } from '../context.ts';
import { roundBoxRow } from '../cover_shapes.ts';
import { aspectOf, type Length, placeBy, resolveLength } from '../lengths.ts';
import type { OperationOf } from '../operations.ts';
import { invalidOperation } from '../refuse.ts';
import { emptyLike, withAlpha } from '../rows.ts';
import { underColor } from '../under_color.ts';
import { coverLayer } from './fill_layers.ts';

interface Margins {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

type Lengths = Pick<EditContext, 'dpi'>;

/** Padding on each side, in whole pixels. */
function marginsOf(canvas: Size, operation: OperationOf<'pad'>, { dpi }: Lengths): Margins {
  const side = (length: Length | undefined, whole: number): number =>
    length === undefined ? 0 : Math.round(resolveLength(length, { whole, dpi }));
  const sides = {
    left: side(operation.left, canvas.width),
    top: side(operation.top, canvas.height),
    right: side(operation.right, canvas.width),
    bottom: side(operation.bottom, canvas.height),
  };
  if (Object.values(sides).some((margin) => margin < 0))
    throw invalidOperation('pad adds pixels, and a side below 0 takes some away. Use crop for that.');
  if (Object.values(sides).some((margin) => margin > 0)) return sides;
  const target = paddedSize(canvas, operation, dpi);
  const { left, top } = placeBy(operation.gravity, canvas, target);
  return {
    left,
    top,
    right: target.width - canvas.width - left,
    bottom: target.height - canvas.height - top,
  };
}

/** Canvas size requested by sides or aspect ratio; rejects one that would crop the image. */
function paddedSize(canvas: Size, { aspect, width, height }: OperationOf<'pad'>, dpi: number): Size {
  const across =
    width === undefined ? canvas.width : Math.round(resolveLength(width, { whole: canvas.width, dpi }));
  const down =
    height === undefined ? canvas.height : Math.round(resolveLength(height, { whole: canvas.height, dpi }));
  if (aspect !== undefined) {
    const ratio = aspectOf(aspect);
    return across / down > ratio
      ? { width: across, height: Math.max(down, Math.round(across / ratio)) }
      : { width: Math.max(across, Math.round(down * ratio)), height: down };
  }
  if (across >= canvas.width && down >= canvas.height) return { width: across, height: down };
  throw invalidOperation(
    `pad to ${across} × ${down} px would cut the image, which is ${canvas.width} × ${canvas.height} px at this point. Use resize with fit "contain" to fit it into that size.`,
    { width: Math.max(across, canvas.width), height: Math.max(down, canvas.height) },
  );
}

export const pad = async (canvas: Canvas, operation: OperationOf<'pad'>, context: Lengths) => {
  const margins = marginsOf(canvas, operation, context);
  const { left, top, right, bottom } = margins;
  const inner: Part = { left, top, width: canvas.width, height: canvas.height };
  const settled: OperationOf<'pad'> = {
    ...operation,
    ...margins,
    aspect: undefined,
    width: undefined,
    height: undefined,
  };
  if (left + top + right + bottom === 0) return { settled: operation, reason: 'nothing to add' };
  refuseSize({ width: inner.width + left + right, height: inner.height + top + bottom });
  const { background } = operation;
  const raster = await canvas.pixels();
  if (background === 'edge' || background === 'mirror')
    canvas.replace(continued(raster, margins, background === 'mirror'), margins);
  else if (background === 'blur') canvas.replace(onBlur(raster, margins), margins);
  else canvas.replace(onColor(raster, margins, parseColor(background)), margins);
  return { settled, boxes: [inner] };
};

const paddedBy = ({ width, height }: Size, { left, top, right, bottom }: Margins): Size => ({
  width: width + left + right,
  height: height + top + bottom,
});

/** The image on a larger canvas of one colour. */
export function onColor(raster: DeepRaster, margins: Margins, color: Rgba): DeepRaster {
  const source = color[3] < 1 ? withAlpha(raster) : raster;
  const { channels } = source;
  const size = paddedBy(source, margins);
  const data = emptyLike(source, size.width * size.height * channels);
  const whole = data instanceof Uint8Array ? 255 : 65_535;
  const pixel = color.slice(0, channels).map((value) => Math.round(value * whole));
  if (pixel.some((value) => value !== 0)) {
    for (let channel = 0; channel < channels; channel += 1) data[channel] = pixel[channel]!;
    for (let filled = channels; filled < data.length; filled *= 2)
      data.copyWithin(filled, 0, Math.min(filled, data.length - filled));
  }
  place(source, data, { left: margins.left, top: margins.top, across: size.width });
  return { ...size, channels, data };
}

function place(
  { width, height, channels, data }: DeepRaster,
  into: Uint8Array | Uint16Array,
  { left, top, across }: { left: number; top: number; across: number },
): void {
  for (let y = 0; y < height; y += 1)
    into.set(
      data.subarray(y * width * channels, (y + 1) * width * channels),
      ((top + y) * across + left) * channels,
    );
}

/** Extends the edges outwards by repeating or mirroring pixels. */
function continued(raster: DeepRaster, margins: Margins, isMirrored: boolean): DeepRaster {
  const { width, height, channels, data } = raster;
  const size = paddedBy(raster, margins);
  const result = emptyLike(raster, size.width * size.height * channels);
  const columns = Int32Array.from(
    { length: size.width },
    (_, x) => within(x - margins.left, width, isMirrored) * channels,
  );
  for (let y = 0, to = 0; y < size.height; y += 1) {
    const row = within(y - margins.top, height, isMirrored) * width * channels;
    for (let x = 0; x < size.width; x += 1)
      for (let channel = 0; channel < channels; channel += 1, to += 1)
        result[to] = data[row + columns[x]! + channel]!;
  }
  return { ...size, channels, data: result };
}

function within(place: number, length: number, isMirrored: boolean): number {
  if (!isMirrored) return Math.min(length - 1, Math.max(0, place));
  const period = 2 * length;
  const at = ((place % period) + period) % period;
  return at < length ? at : period - 1 - at;
}

/** The image in front of a blurred copy of itself that fills the canvas. */
function onBlur(raster: DeepRaster, margins: Margins): DeepRaster {
  const size = paddedBy(raster, margins);
  const scale = Math.min(1, BACKDROP_SIDE_PX / Math.max(size.width, size.height));
  const small = {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  };
  const covered = coverLayer(raster, small, 16);
  const blurred = blurRaster(covered, BACKDROP_SIGMA * Math.min(small.width, small.height), {
    light: 'linear',
    depth: 16,
  });
  const depth = raster.data instanceof Uint8Array ? 8 : 16;
  const backdrop = resampleTo(blurred, { ...size, light: 'gamma', depth });
  place(raster, backdrop.data, { left: margins.left, top: margins.top, across: size.width });
  return backdrop;
}

/** A blurred backdrop has no detail that needs more pixels. */
const BACKDROP_SIDE_PX = 512;
const BACKDROP_SIGMA = 0.05;

export const border: Perform<OperationOf<'border'>> = async (canvas, operation, { dpi }) => {
  const shorter = Math.min(canvas.width, canvas.height);
  const width = Math.round(resolveLength(operation.width, { whole: shorter, dpi }));
  const color = parseColor(operation.color);
  if (width < 0) throw invalidOperation('The width of a border is at least 0.');
  if (width === 0) return { settled: operation };
  if (!operation.inside) {
    const sides = { left: width, top: width, right: width, bottom: width };
    refuseSize(paddedBy(canvas, sides));
    canvas.replace(onColor(await canvas.pixels(), sides, color), sides);
    return { settled: { ...operation, width } };
  }
  const { width: across, height: down } = canvas;
  const lay = layColor(color);
  const row = (pixels: Float32Array, y: number): void => {
    const isFrame = y < width || y >= down - width || 2 * width >= across;
    lay(pixels, 0, isFrame ? across : width);
    if (!isFrame) lay(pixels, across - width, across);
  };
  await canvas.addStage({ row });
  return { settled: { ...operation, width } };
};

/** Composites a colour over pixels of a row, from one index to before another. */
export function layColor([red, green, blue, alpha]: Rgba): (
  pixels: Float32Array,
  from: number,
  to: number,
) => void {
  return (pixels, from, to) => {
    for (let at = 4 * from; at < 4 * to; at += 4) {
      const under = (1 - alpha) * pixels[at + 3]!;
      const whole = alpha + under || 1;
      pixels[at] = (alpha * red + under * pixels[at]!) / whole;
      pixels[at + 1] = (alpha * green + under * pixels[at + 1]!) / whole;
      pixels[at + 2] = (alpha * blue + under * pixels[at + 2]!) / whole;
      pixels[at + 3] = alpha + under;
    }
  };
}

export const round: Perform<OperationOf<'round'>> = async (canvas, operation, { dpi }) => {
  const { width, height } = canvas;
  const shorter = Math.min(width, height);
  const radius = Math.min(shorter / 2, Math.max(0, resolveLength(operation.radius, { whole: shorter, dpi })));
  if (radius === 0) return { settled: operation };
  const box = { left: 0, top: 0, right: width, bottom: height, radiusX: radius, radiusY: radius };
  const cover = new Float32Array(width);
  const row = (pixels: Float32Array, y: number): void => {
    if (y >= radius && y < height - radius) return;
    roundBoxRow(box, { y, width }, cover);
    for (let x = 0; x < width; x += 1) pixels[4 * x + 3]! *= cover[x]!;
  };
  await canvas.addStage({ alpha: 'adds', row });
  return { settled: { ...operation, radius: Math.round(radius * 1000) / 1000 } };
};

export const shadow: Perform<OperationOf<'shadow'>> = async (canvas, operation, { dpi }) => {
  const shorter = Math.min(canvas.width, canvas.height);
  const [x, y, blur, spread] = [operation.x, operation.y, operation.blur, operation.spread].map((length) =>
    resolveLength(length, { whole: shorter, dpi }),
  ) as [number, number, number, number];
  if (blur < 0) throw invalidOperation('The blur of a shadow is at least 0.');
  const color = parseColor(operation.color);
  const [offsetX, offsetY, grown] = [Math.round(x), Math.round(y), Math.round(spread)];
  const reach = Math.ceil(1.5 * blur) + Math.max(0, grown);
  const margins = {
    left: Math.max(0, reach - offsetX),
    top: Math.max(0, reach - offsetY),
    right: Math.max(0, reach + offsetX),
    bottom: Math.max(0, reach + offsetY),
  };
  refuseSize(paddedBy(canvas, margins));
  const raster = onColor(withAlpha(await canvas.pixels()), margins, [0, 0, 0, 0]);
  const mask = shadowMask(raster, { offsetX, offsetY, grown, sigma: blur / 2 });
  canvas.replace(raster, margins);
  await canvas.addStage(underMask(mask, color));
  const inner = {
    left: margins.left,
    top: margins.top,
    width: raster.width - margins.left - margins.right,
    height: raster.height - margins.top - margins.bottom,
  };
  return { settled: { ...operation, x: offsetX, y: offsetY, blur, spread: grown }, boxes: [inner] };
};

interface Cast {
  readonly offsetX: number;
  readonly offsetY: number;
  readonly grown: number;
  readonly sigma: number;
}

/** Alpha of the shadow, one sample per pixel. */
function shadowMask(raster: DeepRaster, { offsetX, offsetY, grown, sigma }: Cast): DeepRaster {
  const { width, height, data } = raster;
  const shift = data instanceof Uint8Array ? 0 : 8;
  const alpha = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const from = y - offsetY;
    if (from < 0 || from >= height) continue;
    for (let x = Math.max(0, offsetX); x < Math.min(width, width + offsetX); x += 1)
      alpha[y * width + x] = data[4 * (from * width + x - offsetX) + 3]! >> shift;
  }
  const shape = grown === 0 ? alpha : grow(alpha, { width, height }, grown);
  const mask: DeepRaster = { width, height, channels: 1, data: shape };
  return sigma > 0 ? blurRaster(mask, sigma, { light: 'gamma', depth: 16 }) : mask;
}

/** Dilation by a square of `by` pixels; erosion for negative values. */
function grow(alpha: Uint8Array, { width, height }: Size, by: number): Uint8Array {
  const pick = by > 0 ? Math.max : Math.min;
  const reach = Math.min(GROW_PX_MAX, Math.abs(by));
  const along = new Uint8Array(alpha.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      let best = alpha[y * width + x]!;
      for (let at = Math.max(0, x - reach); at <= Math.min(width - 1, x + reach); at += 1)
        best = pick(best, alpha[y * width + at]!);
      along[y * width + x] = best;
    }
  const grown = new Uint8Array(alpha.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      let best = along[y * width + x]!;
      for (let at = Math.max(0, y - reach); at <= Math.min(height - 1, y + reach); at += 1)
        best = pick(best, along[at * width + x]!);
      grown[y * width + x] = best;
    }
  return grown;
}

/** Bounds the time, which grows with the spread. */
const GROW_PX_MAX = 100;

/** Composites the image over a colour with the alpha of the mask. */
function underMask(mask: DeepRaster, [red, green, blue, opacity]: Rgba) {
  const { data, width } = mask;
  const factor = opacity / (data instanceof Uint8Array ? 255 : 65_535);
  const row = (pixels: Float32Array, y: number): void => {
    for (let x = 0, at = 0; x < width; x += 1, at += 4) {
      const over = pixels[at + 3]!;
      const under = (1 - over) * factor * data[y * width + x]!;
      if (under === 0) continue;
      const whole = over + under;
      pixels[at] = (over * pixels[at]! + under * red) / whole;
      pixels[at + 1] = (over * pixels[at + 1]! + under * green) / whole;
      pixels[at + 2] = (over * pixels[at + 2]! + under * blue) / whole;
      pixels[at + 3] = whole;
    }
  };
  return { alpha: 'adds', row } as const;
}

export const background: Perform<OperationOf<'background'>> = async (canvas, operation, context) => {
  const { color, gradient, image, blur, remove } = operation;
  if (remove && color === undefined && !gradient && image === undefined && blur === undefined)
    return { settled: operation, reason: 'the background was removed before all operations' };
  if (!canvas.hasAlpha)
    return {
      settled: operation,
      reason: 'the image is opaque, so nothing of a background shows: use remove_background first',
    };
  if (color !== undefined) await canvas.addStage(underColor(parseColor(color)));
  else if (gradient) await canvas.addStage(underRows(gradientRows(gradient, canvas)));
  else if (image !== undefined)
    await canvas.addStage(underRaster(coverLayer(await context.image(image), canvas, 8)));
  else {
    const raster = await canvas.pixels();
    const sigma = resolveLength(blur ?? '4%', {
      whole: Math.min(canvas.width, canvas.height),
      dpi: context.dpi,
    });
    const copy = blurRaster(raster, Math.max(0.5, Math.min(1000, sigma)), { light: 'linear', depth: 8 });
    await canvas.addStage(underRaster({ ...copy, data: opaque(copy) }));
  }
  return { settled: operation };
};

/** Blends transparent pixels of the blurred copy with white. */
function opaque({ data }: DeepRaster): Uint8Array {
  const result = Uint8Array.from(data);
  for (let at = 0; at < result.length; at += 4) {
    const alpha = result[at + 3]! / 255;
    for (let channel = at; channel < at + 3; channel += 1)
      result[channel] = Math.round(255 * (1 - alpha) + alpha * result[channel]!);
    result[at + 3] = 255;
  }
  return result;
}

/** Fills a row of RGBA floats. */
type RowOf = (y: number, into: Float32Array) => void;

function underRows(fill: RowOf) {
  let under = new Float32Array(0);
  const row = (pixels: Float32Array, y: number): void => {
    if (under.length !== pixels.length) under = new Float32Array(pixels.length);
    fill(y, under);
    for (let at = 0; at < pixels.length; at += 4) {
      const over = pixels[at + 3]!;
      const rest = (1 - over) * under[at + 3]!;
      const whole = over + rest || 1;
      for (let channel = at; channel < at + 3; channel += 1)
        pixels[channel] = (over * pixels[channel]! + rest * under[channel]!) / whole;
      pixels[at + 3] = over + rest;
    }
  };
  return { row };
}

function underRaster({ data, width, channels }: DeepRaster) {
  const whole = data instanceof Uint8Array ? 255 : 65_535;
  return underRows((y, into) => {
    for (let x = 0, at = y * width * channels; x < width; x += 1, at += channels) {
      for (let channel = 0; channel < 3; channel += 1) into[4 * x + channel] = data[at + channel]! / whole;
      into[4 * x + 3] = channels === 4 ? data[at + 3]! / whole : 1;
    }
  });
}

/** Gradients as in CSS `linear-gradient` and `radial-gradient`, mixed in encoded sRGB with premultiplied alpha. */
function gradientRows(
  { type, angle, stops }: NonNullable<OperationOf<'background'>['gradient']>,
  { width, height }: Size,
): RowOf {
  const placed = stops.map(({ color, at }, index) => ({
    color: parseColor(color),
    at: at ?? index / Math.max(1, stops.length - 1),
  }));
  placed.sort((one, other) => one.at - other.at);
  const radians = (angle * Math.PI) / 180;
  const [sin, cos] = [Math.sin(radians), -Math.cos(radians)];
  const length = Math.abs(width * sin) + Math.abs(height * cos);
  const radius = Math.hypot(width, height) / 2;
  return (y, into) => {
    for (let x = 0; x < width; x += 1) {
      const [dx, dy] = [x + 0.5 - width / 2, y + 0.5 - height / 2];
      const place = type === 'radial' ? Math.hypot(dx, dy) / radius : (dx * sin + dy * cos) / length + 0.5;
      mixAt(placed, place, into, 4 * x);
    }
  };
}

function mixAt(
  stops: readonly { color: Rgba; at: number }[],
  place: number,
  into: Float32Array,
  at: number,
): void {
  const next = stops.findIndex((stop) => stop.at >= place);
  const to = stops[next < 0 ? stops.length - 1 : next]!;
  const from = stops[next < 0 ? stops.length - 1 : Math.max(0, next - 1)]!;
  const span = to.at - from.at;
  const share = span > 0 ? (place - from.at) / span : 1;
  const alpha = from.color[3] * (1 - share) + to.color[3] * share;
  for (let channel = 0; channel < 3; channel += 1)
    into[at + channel] =
      (from.color[channel]! * from.color[3] * (1 - share) + to.color[channel]! * to.color[3] * share) /
      (alpha || 1);
  into[at + 3] = alpha;
}
