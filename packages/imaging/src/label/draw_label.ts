import { EngineError } from '../errors/engine_error.ts';
import type { AiLabel, Region } from '../metadata/rights/ai_label.ts';
import { type DeepRaster, hasAlpha, largestSample } from '../pixels/raster.ts';
import {
  LABEL_CORNERS,
  type LabelCorner,
  type LabelLanguage,
  type LabelStyle,
  labelParts,
} from './label_words.ts';
import { CAPITALS_PX_MIN, capitalsFor, makeStamp, type Stamp, type StampWish } from './stamp.ts';

export interface LabelWish extends StampWish {
  readonly corner: LabelCorner;
  /** A label the metadata names. It stays where the pixels still show it. */
  readonly noted?: Pick<StampWish, 'style' | 'language' | 'kind'>;
}

/** A label of ours, as the file names it. */
export interface ShownLabel extends AiLabel {
  readonly style: LabelStyle;
  readonly language: LabelLanguage;
}

export interface DrawnLabel {
  readonly raster: DeepRaster;
  readonly label: ShownLabel;
  /** The image shows this label already; `raster` is the one that was passed. */
  readonly wasThere: boolean;
}

/** Smaller images have no room beside a label. */
const SIDE_PX_MIN = 64;

/**
 * Draws a label into a corner of an upright sRGB or grey image, opaque also where the image is transparent. The same image and wish
 * give the same pixels. An image that shows the label, or the one its metadata names, is not labelled again.
 * @throws EngineError unsuitable_image where the label does not fit
 */
export function drawLabel(raster: DeepRaster, wish: LabelWish): DrawnLabel {
  const there = findLabel(raster, wish);
  if (there) return { raster, label: there, wasThere: true };
  const stamp = fittingStamp(raster, wish);
  const region = regionOf(raster, stamp, wish.corner);
  return { raster: laid(raster, stamp, region), label: labelOf(wish, stamp, region), wasThere: false };
}

function findLabel(raster: DeepRaster, wish: LabelWish): ShownLabel | undefined {
  for (const candidate of [wish, ...(wish.noted ? [{ ...wish.noted, typeface: wish.typeface }] : [])]) {
    const stamp = stampFor(raster, candidate);
    if (!stamp) continue;
    for (const corner of LABEL_CORNERS) {
      const region = regionOf(raster, stamp, corner);
      if (isLaid(raster, stamp, region)) return labelOf(candidate, stamp, region);
    }
  }
  return undefined;
}

const labelOf = ({ style, language }: StampWish, { words }: Stamp, region: Region): ShownLabel => ({
  words,
  style,
  language,
  region,
});

function fittingStamp(raster: DeepRaster, wish: StampWish): Stamp {
  const stamp = stampFor(raster, wish);
  if (stamp) return stamp;
  const { width, margin } = makeStamp(wish, CAPITALS_PX_MIN, 2);
  const needed = Math.max(SIDE_PX_MIN, width + 2 * margin);
  throw new EngineError(
    'unsuitable_image',
    `The image is ${raster.width} × ${raster.height} px. The label "${labelParts(wish).join(' ')}" needs at least ${needed} × ${SIDE_PX_MIN} px to be legible. Send a larger image, or leave ai.label out.`,
  );
}

/** As large as the image asks for; smaller, then in two lines where that is too wide. Undefined where nothing legible fits. */
function stampFor({ width, height }: DeepRaster, wish: StampWish): Stamp | undefined {
  if (Math.min(width, height) < SIDE_PX_MIN) return undefined;
  for (const lines of [1, 2] as const)
    for (let capitals = capitalsFor({ width, height }); capitals >= CAPITALS_PX_MIN; capitals -= 1) {
      const stamp = makeStamp(wish, capitals, lines);
      if (stamp.width + 2 * stamp.margin <= width && stamp.height + 2 * stamp.margin <= height) return stamp;
    }
  return undefined;
}

function regionOf(image: DeepRaster, { width, height, margin }: Stamp, corner: LabelCorner): Region {
  return {
    x: corner.endsWith('left') ? margin : image.width - margin - width,
    y: corner.startsWith('top') ? margin : image.height - margin - height,
    width,
    height,
  };
}

/** A copy with the stamp over it; opacity is not multiplied in. */
function laid(raster: DeepRaster, { opacity, tone }: Stamp, region: Region): DeepRaster {
  const { width, channels } = raster;
  const data = raster.data.slice();
  const largest = largestSample(raster);
  const alphaAt = hasAlpha(raster) ? channels - 1 : channels;
  for (let y = 0; y < region.height; y += 1)
    for (let x = 0; x < region.width; x += 1) {
      const cover = opacity[y * region.width + x]!;
      if (cover === 0) continue;
      const ink = tone[y * region.width + x]! * largest;
      const at = ((region.y + y) * width + region.x + x) * channels;
      const under = alphaAt < channels ? (1 - cover) * (data[at + alphaAt]! / largest) : 1 - cover;
      const whole = cover + under;
      for (let channel = at; channel < at + alphaAt; channel += 1)
        data[channel] = Math.round((cover * ink + under * data[channel]!) / whole);
      if (alphaAt < channels) data[at + alphaAt] = Math.round(whole * largest);
    }
  return { ...raster, data };
}

/** Mean difference, as a share of white, that JPEG and a watermark leave: 0.02 at quality 75; letters of other words differ by 0.1. */
const DIFFERENCE_MAX = 0.06;

/** Whether the image shows the stamp there, where it is opaque. */
function isLaid(raster: DeepRaster, { opacity, tone }: Stamp, region: Region): boolean {
  const { width, channels, data } = raster;
  const largest = largestSample(raster);
  const colors = hasAlpha(raster) ? channels - 1 : channels;
  let [sum, count] = [0, 0];
  for (let y = 0; y < region.height; y += 1)
    for (let x = 0; x < region.width; x += 1) {
      if (opacity[y * region.width + x]! < 1) continue;
      const at = ((region.y + y) * width + region.x + x) * channels;
      const ink = tone[y * region.width + x]!;
      for (let channel = at; channel < at + colors; channel += 1)
        sum += Math.abs(data[channel]! / largest - ink);
      count += colors;
    }
  return sum / count <= DIFFERENCE_MAX;
}
