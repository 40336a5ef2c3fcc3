import { readRaster } from '../../codecs/read_raster.ts';
import type { Rgba } from '../../color/css_color.ts';
import { type DeepRaster, largestSample } from '../../pixels/raster.ts';
import type { Part } from '../../resample/resample.ts';
import { layerOf } from '../blend.ts';
import { blurRaster } from '../blur.ts';
import type { Canvas } from '../canvas.ts';
import { parseColor } from '../colors.ts';
import type { EditContext, FoundSubject, Perform } from '../context.ts';
import { clipBox, type Length, resolveBox, resolveLength } from '../lengths.ts';
import { encodeLight, lightTable } from '../light_tables.ts';
import { BLUR_SIGMA_MAX } from '../limits.ts';
import type { FoundPlace, OperationOf, Where } from '../operations.ts';
import { invalidOperation } from '../refuse.ts';
import { emptyLike, withAlpha } from '../rows.ts';
import type { Stage } from '../stages.ts';
import { layColor } from './extend.ts';

interface Places {
  readonly boxes: readonly Part[];
  readonly reason?: string;
  readonly where: Where;
}

/** Areas of an operation, except the background, which has no boxes. */
type BoxedWhere = Exclude<Where, 'background'>;
type BoxedPlace = Exclude<FoundPlace, 'background'>;

/** The boxes of an operation, in pixels of the canvas, rounded outwards. Empty if nothing was detected. */
function placesOf(canvas: Canvas, where: BoxedWhere, context: EditContext, padding = 0): Places {
  if (where === 'all')
    return { boxes: [{ left: 0, top: 0, width: canvas.width, height: canvas.height }], where };
  if (typeof where === 'string') {
    const { boxes: found, reason } = foundBoxes(canvas, where, context);
    const boxes = found.map((box) => outward(box, canvas, padding)).filter(isSomething);
    return { boxes, reason, where: boxes.map(asBox) };
  }
  const boxes = where.map((box) => {
    const part = outward(resolveBox(box, canvas, context.dpi), canvas, padding);
    if (isSomething(part)) return part;
    throw invalidOperation(
      `A box of \`where\` is outside the image, which is ${canvas.width} × ${canvas.height} px at this point.`,
      { where: [{ x: 0, y: 0, width: canvas.width, height: canvas.height }] },
    );
  });
  return { boxes, where };
}

/** Growth of the boxes of faces and lines, in fractions of their sides: a head has hair and a chin. */
const AROUND: Readonly<Record<BoxedPlace, { above: number; below: number; beside: number }>> = {
  faces: { above: 0.4, below: 0.25, beside: 0.25 },
  text: { above: 0.2, below: 0.2, beside: 0.05 },
};

function foundBoxes(
  canvas: Canvas,
  where: BoxedPlace,
  { findings }: EditContext,
): { boxes: Part[]; reason: string } {
  const seen = findings.places[where];
  if (!seen?.isLookedFor)
    throw invalidOperation(
      `where "${where}" is not available here${seen ? `: ${seen.reason}` : '.'} Look at the image, and send \`where\` as boxes in pixels or per cent.`,
    );
  const { above, below, beside } = AROUND[where];
  const boxes = seen.boxes.map(({ x, y, width, height }) => {
    const box = canvas.boxFromOrigin({
      x: x - beside * width,
      y: y - above * height,
      width: (1 + 2 * beside) * width,
      height: (1 + above + below) * height,
    });
    return { left: box.x, top: box.y, width: box.width, height: box.height };
  });
  return { boxes, reason: seen.reason };
}

const isSomething = ({ width, height }: Part): boolean => width > 0 && height > 0;
const asBox = ({ left, top, width, height }: Part) => ({ x: left, y: top, width, height });

function outward({ left, top, width, height }: Part, canvas: Canvas, padding: number): Part {
  if (!(width > 0 && height > 0)) return { left, top, width: 0, height: 0 };
  const [x, y] = [Math.floor(left - padding + 1e-6), Math.floor(top - padding + 1e-6)];
  const right = Math.ceil(left + width + padding - 1e-6);
  const bottom = Math.ceil(top + height + padding - 1e-6);
  return clipBox({ left: x, top: y, width: right - x, height: bottom - y }, canvas);
}

const rowsOf = (boxes: readonly Part[]) => ({
  first: Math.min(...boxes.map(({ top }) => top)),
  last: Math.max(...boxes.map(({ top, height }) => top + height)),
});

const shorterOf = ({ width, height }: Part): number => Math.min(width, height);
const nothing = (reason: string | undefined) => ({
  settled: [],
  boxes: [],
  reason: reason ?? 'nothing was found',
});

export const blur: Perform<OperationOf<'blur'>> = async (canvas, operation, context) => {
  if (operation.where === 'background') return blurBackground(canvas, operation, context);
  const { boxes, reason, where } = placesOf(canvas, operation.where, context);
  if (boxes.length === 0) return nothing(reason);
  const isWhole = operation.where === 'all';
  const sigmaOf = (box: Part): number =>
    sigmaFor(operation.amount ?? (isWhole ? WHOLE_BLUR : '15%'), shorterOf(box), context);
  const settled = { ...operation, where };
  const raster = await canvas.pixels();
  if (isWhole) {
    const sigma = sigmaOf(boxes[0]!);
    if (sigma > 0.05) canvas.replace(blurRaster(raster, sigma, { light: 'linear' }));
    return { settled };
  }
  const soft = boxes.map((box) => {
    const feather = Math.max(
      0,
      resolveLength(operation.feather, { whole: shorterOf(box), dpi: context.dpi }),
    );
    const part = outward(box, canvas, feather);
    return {
      box,
      feather,
      part,
      blurred: blurRaster(raster, Math.max(0.05, sigmaOf(box)), { light: 'linear', part }),
    };
  });
  await canvas.addStage({
    rows: rowsOf(soft.map(({ part }) => part)),
    row: (pixels, y) => {
      for (const one of soft) mixBlurred(pixels, y, one);
    },
  });
  return { settled, boxes, ...(reason !== undefined && { reason }) };
};

const WHOLE_BLUR = '2%';

function sigmaFor(amount: Length, whole: number, { dpi }: Pick<EditContext, 'dpi'>): number {
  const sigma = resolveLength(amount, { whole, dpi });
  if (sigma < 0) throw invalidOperation('The amount of a blur is at least 0.');
  return Math.min(BLUR_SIGMA_MAX, sigma);
}

async function blurBackground(canvas: Canvas, operation: OperationOf<'blur'>, context: EditContext) {
  const { shares, ...found } = await subjectOn(canvas, context);
  const sigma = sigmaFor(operation.amount ?? WHOLE_BLUR, Math.min(canvas.width, canvas.height), context);
  if (sigma > 0.05) await canvas.addStage(blurredBackground(await canvas.pixels(), sigma, shares));
  return { settled: operation, ...found };
}

interface Softened {
  readonly box: Part;
  readonly feather: number;
  readonly part: Part;
  readonly blurred: DeepRaster;
}

/** Mixes in the blurred copy: fully inside the box, decreasing over the feather around it. */
function mixBlurred(pixels: Float32Array, y: number, { box, feather, part, blurred }: Softened): void {
  if (y < part.top || y >= part.top + part.height) return;
  const { data, channels, width } = blurred;
  const whole = data instanceof Uint8Array ? 255 : 65_535;
  const dy = Math.max(0, box.top - (y + 0.5), y + 0.5 - box.top - box.height);
  for (let x = 0, at = (y - part.top) * width * channels; x < width; x += 1, at += channels) {
    const centre = part.left + x + 0.5;
    const dx = Math.max(0, box.left - centre, centre - box.left - box.width);
    const distance = Math.hypot(dx, dy);
    const share = distance === 0 ? 1 : distance >= feather ? 0 : 1 - distance / feather;
    if (share === 0) continue;
    const to = 4 * (part.left + x);
    const over = share * (channels === 4 ? data[at + 3]! / whole : 1);
    const under = (1 - share) * pixels[to + 3]!;
    const sum = over + under || 1;
    for (let channel = 0; channel < 3; channel += 1)
      pixels[to + channel] = (over * (data[at + channel]! / whole) + under * pixels[to + channel]!) / sum;
    pixels[to + 3] = over + under;
  }
}

export const pixelate: Perform<OperationOf<'pixelate'>> = async (canvas, operation, context) => {
  if (operation.where === 'background') return pixelateBackground(canvas, operation, context);
  const { boxes, reason, where } = placesOf(canvas, operation.where, context);
  if (boxes.length === 0) return nothing(reason);
  const raster = await canvas.pixels();
  const amount = operation.amount ?? (operation.where === 'all' ? WHOLE_CELL : '12%');
  for (const box of boxes) for (const cell of cellsOf(box, amount, context)) flattenCell(raster, cell);
  canvas.replace(raster);
  const isWhole = operation.where === 'all';
  return {
    settled: { ...operation, where },
    ...(!isWhole && { boxes }),
    ...(reason !== undefined && { reason }),
  };
};

const WHOLE_CELL = '3%';

/** Squares from the upper left corner of a box; the last ones of rows and columns are cropped. */
function* cellsOf(box: Part, amount: Length, { dpi }: Pick<EditContext, 'dpi'>): Generator<Part> {
  const side = Math.max(1, Math.round(resolveLength(amount, { whole: shorterOf(box), dpi })));
  for (let top = 0; top < box.height; top += side)
    for (let left = 0; left < box.width; left += side)
      yield {
        left: box.left + left,
        top: box.top + top,
        width: Math.min(side, box.width - left),
        height: Math.min(side, box.height - top),
      };
}

async function pixelateBackground(canvas: Canvas, operation: OperationOf<'pixelate'>, context: EditContext) {
  const { shares, ...found } = await subjectOn(canvas, context);
  const raster = await canvas.pixels();
  const whole = { left: 0, top: 0, width: raster.width, height: raster.height };
  for (const cell of cellsOf(whole, operation.amount ?? WHOLE_CELL, context))
    flattenBehind(raster, cell, shares);
  canvas.replace(raster);
  return { settled: operation, ...found };
}

/** Sets every pixel of a cell to the mean in linear light. */
function flattenCell(raster: DeepRaster, { left, top, width, height }: Part): void {
  const { data, channels } = raster;
  const table = lightTable(raster);
  const whole = data instanceof Uint8Array ? 255 : 65_535;
  const sums = [0, 0, 0];
  let opacity = 0;
  const each = (work: (at: number) => void): void => {
    for (let y = top; y < top + height; y += 1)
      for (let x = left, at = (y * raster.width + left) * channels; x < left + width; x += 1, at += channels)
        work(at);
  };
  each((at) => {
    const alpha = channels === 4 ? data[at + 3]! / whole : 1;
    opacity += alpha;
    for (let channel = 0; channel < 3; channel += 1) sums[channel]! += alpha * table[data[at + channel]!]!;
  });
  const colors = sums.map((sum) => Math.round(whole * encodeLight(opacity > 0 ? sum / opacity : 0)));
  const alpha = Math.round((whole * opacity) / (width * height));
  each((at) => {
    for (let channel = 0; channel < 3; channel += 1) data[at + channel] = colors[channel]!;
    if (channels === 4) data[at + 3] = alpha;
  });
}

export const redact: Perform<OperationOf<'redact'>> = async (canvas, operation, context) => {
  const color = parseColor(operation.color);
  if (color[3] < 1)
    throw invalidOperation('The colour of redact must be opaque, so that nothing shows through.', {
      where: operation.where,
      color: 'black',
    });
  if (operation.where === 'background') {
    const { shares, ...found } = await subjectOn(canvas, context);
    await canvas.addStage(coveredBackground(color, shares));
    return { settled: operation, ...found };
  }
  const padding = resolveLength(operation.padding, {
    whole: Math.min(canvas.width, canvas.height),
    dpi: context.dpi,
  });
  const { boxes, reason, where } = placesOf(canvas, operation.where, context, Math.max(0, padding));
  if (boxes.length === 0) return nothing(reason);
  const lay = layColor(color);
  await canvas.addStage({
    rows: rowsOf(boxes),
    row: (pixels, y) => {
      for (const { left, top, width, height } of boxes)
        if (y >= top && y < top + height) lay(pixels, left, left + width);
    },
  });
  return { settled: { ...operation, where, padding: 0 }, boxes, ...(reason !== undefined && { reason }) };
};

/** The subject on the current canvas. */
interface SubjectArea {
  /** Coverage of each pixel of the canvas by the subject, 0 to 255. */
  readonly shares: Uint8Array;
  readonly boxes: readonly Part[];
  readonly reason: string;
}

/** @throws OperationRefused if subject detection did not run */
async function subjectOn(canvas: Canvas, { findings }: EditContext): Promise<SubjectArea> {
  const { subject } = findings;
  if (!subject)
    throw invalidOperation('where "background" is not available here. Send boxes in pixels or per cent.', {
      where: [{ x: '25%', y: '25%', width: '50%', height: '50%' }],
    });
  const { data, channels } = canvas.carriedFromOrigin(opacityOf(await readRaster(subject.mask)));
  const shares = new Uint8Array(data.length / channels);
  for (let pixel = 0; pixel < shares.length; pixel += 1) shares[pixel] = data[channels * pixel + 3]!;
  return { shares, boxes: [boxOn(canvas, subject)], reason: `all but ${subject.reason}` };
}

/** The alpha channel, or the luma of an image without one, as the alpha of a black raster: transforming it involves no colour conversion. */
function opacityOf({ width, height, channels, data }: DeepRaster): DeepRaster {
  const shift = data instanceof Uint8Array ? 0 : 8;
  const channel = channels % 2 === 0 ? channels - 1 : 0;
  const opacity = new Uint8Array(4 * width * height);
  for (let pixel = 0; pixel < width * height; pixel += 1)
    opacity[4 * pixel + 3] = data[channels * pixel + channel]! >> shift;
  return { width, height, channels: 4, data: opacity };
}

function boxOn(canvas: Canvas, { box }: FoundSubject): Part {
  const { x, y, width, height } = canvas.boxFromOrigin(box);
  return { left: x, top: y, width, height };
}

/** Blurs the background. The subject is excluded, so that its colours cause no halo. */
function blurredBackground(raster: DeepRaster, sigma: number, shares: Uint8Array): Stage {
  const { data, width } = blurRaster(withoutSubject(raster, shares), sigma, { light: 'linear' });
  const whole = largestSample({ data });
  return {
    row(pixels, y) {
      for (let x = 0, at = 0, pixel = y * width; x < width; x += 1, at += 4, pixel += 1) {
        const share = shares[pixel]! / 255;
        if (share === 1 || data[4 * pixel + 3] === 0) continue;
        for (let channel = 0; channel < 3; channel += 1)
          pixels[at + channel] =
            share * pixels[at + channel]! + (1 - share) * (data[4 * pixel + channel]! / whole);
      }
    },
  };
}

/** A copy with a transparent subject. */
function withoutSubject(raster: DeepRaster, shares: Uint8Array): DeepRaster {
  const { width, height, data } = withAlpha(raster);
  const around = emptyLike(raster, data.length);
  around.set(data);
  for (let pixel = 0, at = 3; pixel < shares.length; pixel += 1, at += 4)
    around[at] = Math.round((around[at]! * (255 - shares[pixel]!)) / 255);
  return { width, height, channels: 4, data: around };
}

/** Sets the background pixels of a cell to their mean in linear light, in proportion to coverage. Changes the raster. */
function flattenBehind(raster: DeepRaster, { left, top, width, height }: Part, shares: Uint8Array): void {
  const { data, channels } = raster;
  const table = lightTable(raster);
  const whole = largestSample(raster);
  const sums = [0, 0, 0];
  let weight = 0;
  const each = (work: (at: number, behind: number) => void): void => {
    for (let y = top; y < top + height; y += 1)
      for (let pixel = y * raster.width + left; pixel < y * raster.width + left + width; pixel += 1)
        work(pixel * channels, 1 - shares[pixel]! / 255);
  };
  each((at, behind) => {
    const own = behind * (channels === 4 ? data[at + 3]! / whole : 1);
    weight += own;
    for (let channel = 0; channel < 3; channel += 1) sums[channel]! += own * table[data[at + channel]!]!;
  });
  if (weight === 0) return;
  const colors = sums.map((sum) => whole * encodeLight(sum / weight));
  each((at, behind) => {
    for (let channel = 0; channel < 3; channel += 1)
      data[at + channel] = Math.round((1 - behind) * data[at + channel]! + behind * colors[channel]!);
  });
}

/** Covers the background. Pixels with less than half subject are covered completely, so that nothing shows through. */
function coveredBackground([red, green, blue]: Rgba, shares: Uint8Array): Stage {
  const lay = layerOf('normal');
  return {
    row(pixels, y) {
      const width = pixels.length / 4;
      for (let x = 0, pixel = y * width; x < width; x += 1, pixel += 1) {
        const share = Math.max(0, shares[pixel]! / 127.5 - 1);
        if (share < 1) lay(pixels, 4 * x, red, green, blue, 1 - share);
      }
    },
  };
}
