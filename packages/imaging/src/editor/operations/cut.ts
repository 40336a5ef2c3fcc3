import { chooseCrop } from '../../crop/choose_crop.ts';
import type { Size } from '../../pixels/plane.ts';
import { type DeepRaster, hasAlpha } from '../../pixels/raster.ts';
import type { Part } from '../../resample/resample.ts';
import { type Canvas, refuseSize } from '../canvas.ts';
import { parseColor, type Rgba } from '../colors.ts';
import type { EditContext, Perform } from '../context.ts';
import {
  aspectOf,
  clipBox,
  GRAVITIES,
  type Gravity,
  placeBy,
  resolveBox,
  resolveLength,
  wholeBox,
} from '../lengths.ts';
import type { FoundGravity, Operation, OperationOf } from '../operations.ts';
import { invalidOperation } from '../refuse.ts';
import { pad } from './extend.ts';

const asBox = ({ left, top, width, height }: Part) => ({ x: left, y: top, width, height });
const settledCrop = (box: Part): OperationOf<'crop'> => ({
  op: 'crop',
  box: asBox(box),
  gravity: 'centre',
  padding: 0,
});

export const crop: Perform<OperationOf<'crop'>> = async (canvas, operation, context) => {
  const found = operation.box
    ? { box: sentBox(canvas, operation.box, context) }
    : chosenBox(canvas, operation, context);
  const box = wholeBox(found.box);
  await canvas.crop(box);
  return { settled: settledCrop(box), boxes: [box], ...('reason' in found && { reason: found.reason }) };
};

/** @throws OperationRefused if the box is not inside the canvas */
function sentBox(canvas: Size, sent: NonNullable<OperationOf<'crop'>['box']>, { dpi }: EditContext): Part {
  const box = wholeBox(resolveBox(sent, canvas, dpi));
  const inside = wholeBox(clipBox(box, canvas));
  const isInside =
    inside.width === box.width && inside.height === box.height && box.width > 0 && box.height > 0;
  if (isInside) return box;
  const shown = `x ${box.left}, y ${box.top}, ${box.width} × ${box.height}`;
  if (inside.width < 1 || inside.height < 1)
    throw invalidOperation(
      `The box (${shown}) holds no pixel of the image, which is ${canvas.width} × ${canvas.height} px at this point.`,
      {
        box: asBox({ left: 0, top: 0, width: canvas.width, height: canvas.height }),
      },
    );
  throw invalidOperation(
    `The box (${shown}) reaches beyond the image, which is ${canvas.width} × ${canvas.height} px at this point. Send the part that lies on it, or use pad to add pixels.`,
    { box: asBox(inside) },
  );
}

/** Size of a crop without a box: as requested, else as large as the canvas allows. */
function cropSize(canvas: Size, { aspect, width, height }: OperationOf<'crop'>, dpi: number): Size {
  const ratio = aspect === undefined ? undefined : aspectOf(aspect);
  const across =
    width === undefined ? undefined : Math.round(resolveLength(width, { whole: canvas.width, dpi }));
  const down =
    height === undefined ? undefined : Math.round(resolveLength(height, { whole: canvas.height, dpi }));
  const size =
    across !== undefined || down !== undefined
      ? {
          width: across ?? (ratio ? Math.round(down! * ratio) : canvas.width),
          height: down ?? (ratio ? Math.round(across! / ratio) : canvas.height),
        }
      : largestOf(canvas, ratio ?? canvas.width / canvas.height);
  if (size.width < 1 || size.height < 1) throw invalidOperation('A crop needs at least 1 × 1 px.');
  if (size.width > canvas.width || size.height > canvas.height)
    throw invalidOperation(
      `The crop of ${size.width} × ${size.height} px is larger than the image, which is ${canvas.width} × ${canvas.height} px at this point. Use resize with fit "cover" to fill that size, or pad to add pixels.`,
      { width: Math.min(size.width, canvas.width), height: Math.min(size.height, canvas.height) },
    );
  return size;
}

export function largestOf({ width, height }: Size, aspect: number): Size {
  return width / height > aspect
    ? { width: Math.max(1, Math.round(height * aspect)), height }
    : { width, height: Math.max(1, Math.round(width / aspect)) };
}

const isCompass = (gravity: string): gravity is Gravity => (GRAVITIES as readonly string[]).includes(gravity);

function chosenBox(
  canvas: Canvas,
  operation: OperationOf<'crop'>,
  context: EditContext,
): { box: Part; reason: string } {
  const { gravity, aspect, width, height } = operation;
  if (isCompass(gravity)) {
    if (aspect === undefined && width === undefined && height === undefined)
      throw invalidOperation('A crop needs box, aspect, width or height, or a gravity such as "subject".', {
        aspect: '1:1',
      });
    return {
      box: placeBy(gravity, cropSize(canvas, operation, context.dpi), canvas),
      reason: `gravity ${gravity}`,
    };
  }
  return foundBox(canvas, { ...operation, gravity }, context);
}

/** The crop window around the detected content, at its current position. */
function foundBox(
  canvas: Canvas,
  operation: OperationOf<'crop'> & { gravity: FoundGravity },
  { findings, dpi }: EditContext,
): { box: Part; reason: string } {
  const { gravity, aspect, width, height, padding } = operation;
  const seen = findings.crops[gravity];
  if (!seen)
    throw invalidOperation(
      `gravity "${gravity}" is not available here. Send a compass point, centre, or box.`,
      {
        ...(aspect === undefined && width === undefined && height === undefined
          ? { aspect: '1:1' }
          : { aspect, width, height }),
        gravity: 'centre',
      },
    );
  const isSized = width !== undefined || height !== undefined;
  const places = seen.boxes.map((box) => canvas.boxFromOrigin(box));
  const faces = (seen.faces ?? []).map((box) => canvas.boxFromOrigin(box));
  const isFaces = seen.found === 'face' || seen.found === 'faces';
  const shorter = Math.min(canvas.width, canvas.height);
  const { box } = chooseCrop({
    picture: { width: canvas.width, height: canvas.height },
    ...(isSized ? cropSize(canvas, operation, dpi) : aspect !== undefined && { aspect: aspectOf(aspect) }),
    ...(isFaces ? { faces: places } : { places, faces }),
    padding: resolveLength(padding, { whole: shorter, dpi }) / shorter,
  });
  return { box: { left: box.x, top: box.y, width: box.width, height: box.height }, reason: seen.reason };
}

export const trim: Perform<OperationOf<'trim'>> = async (
  canvas,
  { tolerance, background, padding },
  { dpi },
) => {
  const raster = await canvas.pixels();
  const margin = background === undefined ? marginColor(raster, tolerance) : parseColor(background);
  const found = margin ? contentBox(raster, margin, tolerance) : undefined;
  if (!found) {
    const reason = margin ? 'the image is only margin: not changed' : 'the corners differ: no uniform margin';
    return { settled: [], reason };
  }
  const space = Math.round(resolveLength(padding, { whole: Math.min(canvas.width, canvas.height), dpi }));
  const box = clipBox(
    {
      left: found.left - space,
      top: found.top - space,
      width: found.width + 2 * space,
      height: found.height + 2 * space,
    },
    canvas,
  );
  await canvas.crop(box);
  return {
    settled: settledCrop(box),
    boxes: [box],
    reason: `margins within ${tolerance} levels of ${hexOf(margin!)}`,
  };
};

const hexOf = ([red, green, blue, alpha]: Rgba): string => {
  if (alpha === 0) return 'transparent';
  const digits = [red, green, blue].map((value) =>
    Math.round(value * 255)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${digits.join('')}`;
};

function pixelAt(raster: DeepRaster, x: number, y: number): Rgba {
  const { data, channels, width } = raster;
  const whole = data instanceof Uint8Array ? 255 : 65_535;
  const at = (y * width + x) * channels;
  const alpha = hasAlpha(raster) ? data[at + 3]! / whole : 1;
  return [data[at]! / whole, data[at + 1]! / whole, data[at + 2]! / whole, alpha];
}

const differs = (one: Rgba, other: Rgba, tolerance: number): boolean => {
  const limit = tolerance / 255 + 1e-9;
  if (Math.abs(one[3] - other[3]) > limit) return true;
  if (one[3] <= limit && other[3] <= limit) return false;
  return [0, 1, 2].some((at) => Math.abs(one[at]! - other[at]!) > limit);
};

/** The colour of most corners: three of four, or two adjacent ones if the others differ from each other. */
function marginColor(raster: DeepRaster, tolerance: number): Rgba | undefined {
  const { width, height } = raster;
  const corners = [
    pixelAt(raster, 0, 0),
    pixelAt(raster, width - 1, 0),
    pixelAt(raster, width - 1, height - 1),
    pixelAt(raster, 0, height - 1),
  ];
  const votes = corners.map((corner) => corners.filter((other) => !differs(corner, other, tolerance)).length);
  const most = Math.max(...votes);
  return most > 1 ? corners[votes.indexOf(most)] : undefined;
}

/** The bounding box of all pixels that differ from the margin. */
function contentBox(raster: DeepRaster, margin: Rgba, tolerance: number): Part | undefined {
  const { width, height, data, channels } = raster;
  const whole = data instanceof Uint8Array ? 255 : 65_535;
  const limit = (tolerance / 255 + 1e-9) * whole;
  const [red, green, blue, alpha] = margin.map((value) => value * whole) as [number, number, number, number];
  const isContent = (at: number): boolean => {
    const opacity = channels === 4 ? data[at + 3]! : whole;
    if (Math.abs(opacity - alpha) > limit) return true;
    if (alpha <= limit && opacity <= limit) return false;
    return (
      Math.abs(data[at]! - red) > limit ||
      Math.abs(data[at + 1]! - green) > limit ||
      Math.abs(data[at + 2]! - blue) > limit
    );
  };
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    let first = 0;
    while (first < width && !isContent((row + first) * channels)) first += 1;
    if (first === width) continue;
    let last = width - 1;
    while (last > right && !isContent((row + last) * channels)) last -= 1;
    left = Math.min(left, first);
    right = Math.max(right, last);
    top = Math.min(top, y);
    bottom = y;
  }
  return right < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

export const resize: Perform<OperationOf<'resize'>> = async (canvas, operation, { dpi }) => {
  const { fit, gravity, background } = operation;
  const target = targetSize(canvas, operation, dpi);
  const scaled = fittedSize(canvas, target, operation);
  refuseSize(scaled);
  await canvas.resize(scaled);
  const settled: Operation[] = [{ ...operation, ...scaled, scale: undefined, fit: 'fill' }];
  if (fit === 'cover' && isBoth(target)) {
    const box = placeBy(gravity, cutTo(target, scaled), canvas);
    await canvas.crop(box);
    return { settled: [...settled, settledCrop(box)], boxes: [box] };
  }
  if (fit === 'contain' && isBoth(target)) {
    const frame = { op: 'pad', ...wholeSize(target), gravity, background } as const;
    await pad(canvas, frame, { dpi });
    return { settled: [...settled, frame] };
  }
  const isSmaller =
    scaled.width < (target.width ?? 0) - 0.5 && scaled.height < (target.height ?? Infinity) - 0.5;
  return {
    settled,
    ...(isSmaller && { reason: 'not enlarged: send enlarge: true, or use upscale_image for detail' }),
  };
};

const isBoth = (size: Partial<Size>): size is Size => size.width !== undefined && size.height !== undefined;
const wholeSize = ({ width, height }: Size): Size => ({
  width: Math.round(width),
  height: Math.round(height),
});

/** Crop for `cover`: the whole target size, or its aspect ratio if the image was not enlarged. */
function cutTo(target: Size, scaled: Size): Size {
  const { width, height } = wholeSize(target);
  if (width <= scaled.width && height <= scaled.height) return { width, height };
  return largestOf(scaled, width / height);
}

/** The requested size, px, not rounded. */
function targetSize(
  canvas: Size,
  { width, height, scale }: OperationOf<'resize'>,
  dpi: number,
): Partial<Size> {
  if (width === undefined && height === undefined && scale === undefined)
    throw invalidOperation('resize needs width, height or scale.', { width: Math.min(1200, canvas.width) });
  const across = width === undefined ? undefined : resolveLength(width, { whole: canvas.width, dpi });
  const down = height === undefined ? undefined : resolveLength(height, { whole: canvas.height, dpi });
  if (across === undefined && down === undefined)
    return { width: canvas.width * scale!, height: canvas.height * scale! };
  if ((across ?? 1) < 0.5 || (down ?? 1) < 0.5) throw invalidOperation('A side needs at least 1 px.');
  return { ...(across !== undefined && { width: across }), ...(down !== undefined && { height: down }) };
}

/** Size to which the whole image is scaled. */
function fittedSize(canvas: Size, target: Partial<Size>, operation: OperationOf<'resize'>): Size {
  const { fit, width, height } = operation;
  const isFactor = width === undefined && height === undefined;
  const isExact = isFactor || (isBoth(target) && (fit === 'cover' || fit === 'fill' || fit === 'contain'));
  const largest = (operation.enlarge ?? isExact) ? Number.POSITIVE_INFINITY : 1;
  const across = target.width === undefined ? undefined : target.width / canvas.width;
  const down = target.height === undefined ? undefined : target.height / canvas.height;
  const scaled = (x: number, y: number): Size => ({
    width: Math.max(1, Math.round(canvas.width * Math.min(largest, x))),
    height: Math.max(1, Math.round(canvas.height * Math.min(largest, y))),
  });
  if (across === undefined || down === undefined) return scaled((across ?? down)!, (across ?? down)!);
  if (fit === 'fill') return scaled(across, down);
  const factor = fit === 'cover' || fit === 'outside' ? Math.max(across, down) : Math.min(across, down);
  return scaled(factor, factor);
}
