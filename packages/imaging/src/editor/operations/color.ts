import type { DeepRaster } from '../../pixels/raster.ts';
import { resampleTo } from '../../resample/resample.ts';
import type { Canvas } from '../canvas.ts';
import { parseColor } from '../colors.ts';
import type { Perform } from '../context.ts';
import { decodeLight, encodeLight } from '../light_tables.ts';
import { parseCube, sampleCube } from '../lut.ts';
import type { Levels, OperationOf } from '../operations.ts';
import { invalidOperation } from '../refuse.ts';
import type { Curve, Stage } from '../stages.ts';

type Adjust = OperationOf<'adjust'>;
type Curves = readonly [Curve, Curve, Curve];

const same = (curve: Curve): Curves => [curve, curve, curve];

/** Applied in linear light, so that 1 stop equals twice the exposure time. */
const exposureCurve = (stops: number): Curve => {
  const factor = 2 ** stops;
  return (value) => encodeLight(factor * decodeLight(value));
};

/**
 * Gains of linear red, green and blue: a positive temperature gives more red and less blue, a positive tint less green. A value of 1 is about the
 * difference between daylight and a cloudy day. Their BT.709 mean is 1, which preserves the luminance of grey.
 */
function whiteGains(temperature: number, tint: number): readonly [number, number, number] {
  const raw = [
    2 ** (0.4 * temperature + 0.15 * tint),
    2 ** (-0.3 * tint),
    2 ** (-0.6 * temperature + 0.15 * tint),
  ] as const;
  const mean = 0.2126 * raw[0] + 0.7152 * raw[1] + 0.0722 * raw[2];
  return [raw[0] / mean, raw[1] / mean, raw[2] / mean];
}

const gainCurves = (gains: readonly [number, number, number]): Curves =>
  gains.map(
    (gain): Curve =>
      (value) =>
        encodeLight(gain * decodeLight(value)),
  ) as unknown as Curves;

/** Increases or reduces contrast around middle grey; −1 gives grey, 1 doubles the slope, with soft ends. */
function contrastCurve(amount: number): Curve {
  if (amount < 0) return (value) => 0.5 + (1 + amount) * (value - 0.5);
  const power = 1 + amount;
  return (value) => (value < 0.5 ? 0.5 * (2 * value) ** power : 1 - 0.5 * (2 - 2 * value) ** power);
}

/** Raises or lowers dark tones and keeps light ones: at 1, a value of 0.25 becomes 0.39. */
const shadowsCurve =
  (amount: number): Curve =>
  (value) =>
    value + amount * 0.55 * value * (1 - value) ** 3 * 2.4;
const highlightsCurve =
  (amount: number): Curve =>
  (value) =>
    value + amount * 0.55 * (1 - value) * value ** 3 * 2.4;

const levelsCurve =
  ({ black, white, gamma, out_black: outBlack, out_white: outWhite }: Levels): Curve =>
  (value) => {
    const share = Math.min(1, Math.max(0, (255 * value - black) / (white - black)));
    return (outBlack + (outWhite - outBlack) * share ** (1 / gamma)) / 255;
  };

/** The curves of one adjustment, in the usual order of photo development. */
function curvesOf(operation: Adjust): Curves[] {
  const { exposure, brightness, contrast, temperature, tint, highlights, shadows, gamma, levels } = operation;
  const curves: Curves[] = [];
  if (temperature !== 0 || tint !== 0) curves.push(gainCurves(whiteGains(temperature, tint)));
  if (exposure !== 0) curves.push(same(exposureCurve(exposure)));
  if (brightness !== 0) curves.push(same((value) => (1 + brightness) * value));
  if (highlights !== 0) curves.push(same(highlightsCurve(highlights)));
  if (shadows !== 0) curves.push(same(shadowsCurve(shadows)));
  if (levels) curves.push(same(levelsCurve(levels)));
  if (gamma !== 1) curves.push(same((value) => value ** (1 / gamma)));
  if (contrast !== 0) curves.push(same(contrastCurve(contrast)));
  if (operation.curve) curves.push(same(curveThrough(operation.curve)));
  return curves;
}

/** Multiplies the colours of a row by a 3 × 3 matrix. */
function matrixRow(m: readonly number[]): NonNullable<Stage['row']> {
  const [a, b, c, d, e, f, g, h, i] = m as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return (pixels) => {
    for (let at = 0; at < pixels.length; at += 4) {
      const red = pixels[at]!;
      const green = pixels[at + 1]!;
      const blue = pixels[at + 2]!;
      pixels[at] = a * red + b * green + c * blue;
      pixels[at + 1] = d * red + e * green + f * blue;
      pixels[at + 2] = g * red + h * green + i * blue;
    }
  };
}

/** Filter Effects Module Level 1, sections 10.2 and 10.4: `saturate()` and `hue-rotate()`. */
const saturateMatrix = (s: number): number[] => [
  ...[0.213 + 0.787 * s, 0.715 - 0.715 * s, 0.072 - 0.072 * s],
  ...[0.213 - 0.213 * s, 0.715 + 0.285 * s, 0.072 - 0.072 * s],
  ...[0.213 - 0.213 * s, 0.715 - 0.715 * s, 0.072 + 0.928 * s],
];

function hueMatrix(degrees: number): number[] {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [
    ...[
      0.213 + cos * 0.787 - sin * 0.213,
      0.715 - cos * 0.715 - sin * 0.715,
      0.072 - cos * 0.072 + sin * 0.928,
    ],
    ...[
      0.213 - cos * 0.213 + sin * 0.143,
      0.715 + cos * 0.285 + sin * 0.14,
      0.072 - cos * 0.072 - sin * 0.283,
    ],
    ...[
      0.213 - cos * 0.213 - sin * 0.787,
      0.715 - cos * 0.715 + sin * 0.715,
      0.072 + cos * 0.928 + sin * 0.072,
    ],
  ];
}

/** Saturates dull colours more than vivid ones. */
const vibranceRow =
  (amount: number): NonNullable<Stage['row']> =>
  (pixels) => {
    for (let at = 0; at < pixels.length; at += 4) {
      const red = pixels[at]!;
      const green = pixels[at + 1]!;
      const blue = pixels[at + 2]!;
      const most = Math.max(red, green, blue);
      const least = Math.min(red, green, blue);
      const strength = most > 0 ? (most - least) / most : 0;
      const factor = 1 + amount * (1 - strength);
      const luma = 0.213 * red + 0.715 * green + 0.072 * blue;
      pixels[at] = luma + factor * (red - luma);
      pixels[at + 1] = luma + factor * (green - luma);
      pixels[at + 2] = luma + factor * (blue - luma);
    }
  };

export const adjust: Perform<Adjust> = async (canvas, sent) => {
  const { levels } = sent;
  if (levels && levels.white <= levels.black)
    throw invalidOperation(`levels.white (${levels.white}) must be above levels.black (${levels.black}).`);
  const found = sent.auto ? await autoOf(canvas) : undefined;
  const operation = found ? { ...withAuto(sent, found), auto: false } : sent;
  for (const curves of curvesOf(operation)) await canvas.addStage({ curves });
  const { saturation, vibrance, hue } = operation;
  if (saturation !== 0) await canvas.addStage({ row: matrixRow(saturateMatrix(1 + saturation)) });
  if (vibrance !== 0) await canvas.addStage({ row: vibranceRow(vibrance) });
  if (hue !== 0) await canvas.addStage({ row: matrixRow(hueMatrix(hue)) });
  return { settled: operation, ...(found && { reason: found.reason }) };
};

interface Auto {
  readonly exposure: number;
  readonly temperature: number;
  readonly tint: number;
  readonly levels: Levels;
  readonly reason: string;
}

const withAuto = (sent: Adjust, { reason: _, levels, ...found }: Auto): Adjust => ({
  ...sent,
  exposure: sent.exposure + found.exposure,
  temperature: Math.max(-1, Math.min(1, sent.temperature + found.temperature)),
  tint: Math.max(-1, Math.min(1, sent.tint + found.tint)),
  levels: sent.levels ?? levels,
});

/** Longest side of the copy used for measurement. */
const MEASURED_SIDE_PX = 256;
/** Target of the mean luminance; the change is at most two thirds of a stop. */
const MIDDLE = 0.46;
const AUTO_STOPS_MAX = 0.67;

/** Black and white points at 0.5 % of the pixels, white balance from nearly grey pixels, exposure from the median. */
async function autoOf(canvas: Canvas): Promise<Auto> {
  const small = measuredCopy(await canvas.pixels());
  const { temperature, tint } = whiteBalanceOf(small);
  const gains = whiteGains(temperature, tint);
  const lumas: number[] = [];
  for (let at = 0; at < small.length; at += 4) {
    if (small[at + 3]! < 0.5) continue;
    const light =
      0.2126 * gains[0] * small[at]! +
      0.7152 * gains[1] * small[at + 1]! +
      0.0722 * gains[2] * small[at + 2]!;
    lumas.push(encodeLight(light));
  }
  lumas.sort((one, other) => one - other);
  const quantile = (share: number): number =>
    lumas[Math.min(lumas.length - 1, Math.floor(share * lumas.length))] ?? 0;
  const median = decodeLight(quantile(0.5)) || 1e-4;
  const stops = Math.max(
    -AUTO_STOPS_MAX,
    Math.min(AUTO_STOPS_MAX, 0.5 * Math.log2(decodeLight(MIDDLE) / median)),
  );
  const exposure = Math.round(100 * stops) / 100;
  const moved = (value: number): number => 255 * encodeLight(2 ** exposure * decodeLight(value));
  const black = Math.min(48, Math.round(moved(quantile(0.005))));
  const white = Math.max(200, black + 1, Math.round(moved(quantile(0.995))));
  const levels = { black, white, gamma: 1, out_black: 0, out_white: 255 };
  const sign = (value: number): string => `${value >= 0 ? '+' : '−'}${Math.abs(value)}`;
  const reason = `auto: exposure ${sign(exposure)} EV, temperature ${sign(temperature)}, tint ${sign(tint)}, levels ${black} to ${white}`;
  return { exposure, temperature, tint, levels, reason };
}

/** RGBA in linear light. */
function measuredCopy(raster: DeepRaster): Float32Array {
  const scale = Math.min(1, MEASURED_SIDE_PX / Math.max(raster.width, raster.height));
  const [width, height] = [
    Math.max(1, Math.round(raster.width * scale)),
    Math.max(1, Math.round(raster.height * scale)),
  ];
  const { data, channels } = resampleTo(raster, { width, height, light: 'linear', depth: 8 });
  const result = new Float32Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    for (let channel = 0; channel < 3; channel += 1)
      result[4 * pixel + channel] = decodeLight(data[pixel * channels + channel]! / 255);
    result[4 * pixel + 3] = channels === 4 ? data[pixel * channels + 3]! / 255 : 1;
  }
  return result;
}

/** Half of the correction that would make the mean of nearly grey pixels neutral: some casts, such as evening light, are intended. */
function whiteBalanceOf(pixels: Float32Array): { temperature: number; tint: number } {
  const sums = [0, 0, 0];
  let count = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    const [red, green, blue] = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!];
    const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
    if (pixels[at + 3]! < 0.5 || most > 0.95 || most < 0.01 || (most - least) / most > 0.4) continue;
    for (const [channel, value] of [red, green, blue].entries()) sums[channel]! += value;
    count += 1;
  }
  if (count < pixels.length / 4 / 20) return { temperature: 0, tint: 0 };
  const [red, green, blue] = sums.map((sum) => Math.log2(sum + 1e-6)) as [number, number, number];
  const bound = (value: number): number => Math.round(100 * Math.max(-0.3, Math.min(0.3, value))) / 100 || 0;
  return { temperature: bound(0.5 * (blue - red)), tint: bound(0.5 * ((green - (red + blue) / 2) / 0.45)) };
}

/** @param points pairs of 0 to 255 @throws OperationRefused */
function curveThrough(points: OperationOf<'curve'>['points']): Curve {
  const drawn = monotoneCurve(points.map(([from, to]) => [from / 255, to / 255] as const));
  if (!drawn) throw invalidOperation('The points of a curve need different first values, in any order.');
  return drawn;
}

export const curve: Perform<OperationOf<'curve'>> = async (canvas, operation) => {
  const drawn = curveThrough(operation.points);
  const plain: Curve = (value) => value;
  const curves = (['red', 'green', 'blue'] as const).map((channel) =>
    operation.channel === 'rgb' || operation.channel === channel ? drawn : plain,
  ) as unknown as Curves;
  await canvas.addStage({ curves: operation.channel === 'rgb' ? same(drawn) : curves });
  return { settled: operation };
};

/** Mixes a changed row with its original. */
function mixed(row: NonNullable<Stage['row']>, amount: number): NonNullable<Stage['row']> {
  if (amount >= 1) return row;
  return (pixels, y) => {
    const before = pixels.slice();
    row(pixels, y);
    for (let at = 0; at < pixels.length; at += 1)
      pixels[at] = before[at]! + amount * (pixels[at]! - before[at]!);
  };
}

/** Grey with the same luminance, BT.709. */
const lightOf = (pixels: Float32Array, at: number): number =>
  encodeLight(
    0.2126 * decodeLight(pixels[at]!) +
      0.7152 * decodeLight(pixels[at + 1]!) +
      0.0722 * decodeLight(pixels[at + 2]!),
  );

const greyRow: NonNullable<Stage['row']> = (pixels) => {
  for (let at = 0; at < pixels.length; at += 4) pixels.fill(lightOf(pixels, at), at, at + 3);
};

/** Filter Effects Module Level 1, section 10.1. */
const SEPIA = [0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131];

function duotoneRow(dark: string, light: string): NonNullable<Stage['row']> {
  const [from, to] = [parseColor(dark), parseColor(light)];
  return (pixels) => {
    for (let at = 0; at < pixels.length; at += 4) {
      const share = lightOf(pixels, at);
      for (let channel = 0; channel < 3; channel += 1)
        pixels[at + channel] = from[channel]! + share * (to[channel]! - from[channel]!);
    }
  };
}

function thresholdRow(threshold: number): NonNullable<Stage['row']> {
  return (pixels) => {
    for (let at = 0; at < pixels.length; at += 4)
      pixels.fill(255 * lightOf(pixels, at) >= threshold - 0.001 ? 1 : 0, at, at + 3);
  };
}

function toneStage({ style, dark, light, threshold, levels }: OperationOf<'tone'>): Stage {
  switch (style) {
    case 'grayscale':
      return { row: greyRow };
    case 'sepia':
      return { row: matrixRow(SEPIA) };
    case 'duotone':
      return { row: duotoneRow(dark, light) };
    case 'threshold':
      return { row: thresholdRow(threshold) };
    case 'invert':
      return { curves: same((value) => 1 - value) };
    case 'posterize':
      return { curves: same((value) => Math.min(levels - 1, Math.floor(value * levels)) / (levels - 1)) };
  }
}

export const tone: Perform<OperationOf<'tone'>> = async (canvas, operation) => {
  const stage = toneStage(operation);
  const { amount } = operation;
  if (stage.row) await canvas.addStage({ row: mixed(stage.row, amount) });
  else {
    const [curve] = stage.curves!;
    await canvas.addStage({ curves: same((value) => value + amount * (curve(value) - value)) });
  }
  return { settled: operation };
};

export const lut: Perform<OperationOf<'lut'>> = async (canvas, operation, context) => {
  const cube = parseCube(context.text(operation.file));
  await canvas.addStage({ row: mixed((pixels) => sampleCube(cube, pixels), operation.amount) });
  return { settled: operation };
};

/**
 * A smooth curve through points without overshoot; constant beyond the first and the last. Source: F. N. Fritsch and R. E. Carlson, "Monotone
 * Piecewise Cubic Interpolation", 1980.
 * @returns undefined if two points have the same x
 */
function monotoneCurve(points: readonly (readonly [number, number])[]): Curve | undefined {
  const sorted = [...points].sort(([one], [other]) => one - other);
  const xs = sorted.map(([x]) => x);
  const ys = sorted.map(([, y]) => y);
  if (xs.some((x, at) => at > 0 && x === xs[at - 1])) return undefined;
  const slopes = tangents(xs, ys);
  return (value) => {
    const last = xs.length - 1;
    if (value <= xs[0]!) return ys[0]!;
    if (value >= xs[last]!) return ys[last]!;
    const at = xs.findLastIndex((x) => x <= value);
    const width = xs[at + 1]! - xs[at]!;
    const t = (value - xs[at]!) / width;
    const u = 1 - t;
    return (
      ys[at]! * (1 + 2 * t) * u * u +
      width * slopes[at]! * t * u * u +
      ys[at + 1]! * t * t * (3 - 2 * t) -
      width * slopes[at + 1]! * t * t * u
    );
  };
}

function tangents(xs: readonly number[], ys: readonly number[]): number[] {
  const secants = xs.slice(1).map((x, at) => (ys[at + 1]! - ys[at]!) / (x - xs[at]!));
  if (secants.length === 0) return [0];
  const slopes = xs.map((_, at) => {
    const [before, after] = [secants[at - 1] ?? secants[at]!, secants[at] ?? secants[at - 1]!];
    return before * after <= 0 ? 0 : (before + after) / 2;
  });
  for (const [at, secant] of secants.entries()) {
    if (secant === 0) {
      slopes[at] = 0;
      slopes[at + 1] = 0;
      continue;
    }
    const [alpha, beta] = [slopes[at]! / secant, slopes[at + 1]! / secant];
    const length = Math.hypot(alpha, beta);
    if (length <= 3) continue;
    slopes[at] = (3 / length) * alpha * secant;
    slopes[at + 1] = (3 / length) * beta * secant;
  }
  return slopes;
}
