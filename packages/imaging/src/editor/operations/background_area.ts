import { readRaster } from '../../codecs/read_raster.ts';
import type { Rgba } from '../../color/css_color.ts';
import { type DeepRaster, largestSample } from '../../pixels/raster.ts';
import type { Part } from '../../resample/resample.ts';
import { layerOf } from '../blend.ts';
import { blurRaster } from '../blur.ts';
import type { Canvas } from '../canvas.ts';
import type { EditContext, FoundSubject } from '../context.ts';
import { encodeLight, lightTable } from '../light_tables.ts';
import { invalidOperation } from '../refuse.ts';
import { emptyLike, withAlpha } from '../rows.ts';
import type { Stage } from '../stages.ts';

/** The subject on the canvas as it is now. */
export interface SubjectArea {
  /** How much of each pixel of the canvas is subject, 0 to 255. */
  readonly shares: Uint8Array;
  readonly boxes: readonly Part[];
  readonly reason: string;
}

/** @throws OperationRefused where no subject was looked for */
export async function subjectOn(canvas: Canvas, { findings }: EditContext): Promise<SubjectArea> {
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

/** Opacity, or the brightness of what has none, as that of a black raster: it is carried without the curve of colours. */
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

/** Blurs what is not subject. None of the subject is mixed into it, so that no rim of its colours shines around it. */
export function blurredBackground(raster: DeepRaster, sigma: number, shares: Uint8Array): Stage {
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

/** A copy in which the subject is transparent. */
function withoutSubject(raster: DeepRaster, shares: Uint8Array): DeepRaster {
  const { width, height, data } = withAlpha(raster);
  const around = emptyLike(raster, data.length);
  around.set(data);
  for (let pixel = 0, at = 3; pixel < shares.length; pixel += 1, at += 4)
    around[at] = Math.round((around[at]! * (255 - shares[pixel]!)) / 255);
  return { width, height, channels: 4, data: around };
}

/** Every pixel of a cell takes the mean light of the cell as far as it is not subject. The raster is changed. */
export function flattenBehind(
  raster: DeepRaster,
  { left, top, width, height }: Part,
  shares: Uint8Array,
): void {
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

/** Covers what is not subject. A pixel that is subject by less than half is covered whole, so that nothing shines through. */
export function coveredBackground([red, green, blue]: Rgba, shares: Uint8Array): Stage {
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
