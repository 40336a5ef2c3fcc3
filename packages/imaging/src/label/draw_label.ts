import { EngineError } from '../errors/engine_error.ts';
import type { AiLabel, Region } from '../metadata/rights/ai_label.ts';
import { type DeepRaster, hasAlpha, largestSample } from '../pixels/raster.ts';
import { outlinesOf } from '../typography/set_line.ts';
import type { Typeface } from '../typography/typeface.ts';
import { createCoverage } from '../vectorize/coverage.ts';
import {
  LABEL_CORNERS,
  type LabelCorner,
  type LabelKind,
  type LabelLanguage,
  type LabelStyle,
  labelParts,
} from './label_words.ts';

interface StampRequest {
  readonly style: LabelStyle;
  readonly language: LabelLanguage;
  readonly kind: LabelKind;
  readonly typeface: Typeface;
}

/** A rendered label: white letters on a black plate with a white edge. */
interface Stamp {
  readonly words: string;
  readonly width: number;
  readonly height: number;
  /** Distance to the edges of the image, px. */
  readonly margin: number;
  /** Alpha of each pixel, 0 to 1. */
  readonly opacity: Float32Array;
  /** Grey of each pixel: 0 is black, 1 is white. */
  readonly tone: Float32Array;
}

/** Cap height of a phrase, or of the smaller word of an icon, as a fraction of the image's shorter side. */
const CAPITALS_SHARE = 0.0225;
/** Gives lower-case letters of 6.5 px, the smallest legible size without hinting. */
const CAPITALS_PX_MIN = 9;
const CAPITALS_PX_MAX = 160;

/**
 * Proportions of the icon the European Commission published on 10 June 2026: a capsule; the acronym is 0.484 and the word beside it 0.354
 * of its height, both in capitals and centred on one line.
 */
const ICON = { acronym: 0.484, word: 0.354, padding: 0.43, gap: 0.36 } as const;
/** Proportions of a phrase, in cap heights. */
const PHRASE = { height: 2.5, padding: 0.9, pitch: 1.8, radius: 0.6 } as const;
/** Distance to the image edges, as a fraction of the height of a one-line label. */
const MARGIN_SHARE = 0.4;
/** Width of the white edge, as a fraction of the height of a one-line label. */
const EDGE_SHARE = 1 / 24;

const capitalsFor = ({ width, height }: { width: number; height: number }): number =>
  Math.min(CAPITALS_PX_MAX, Math.max(CAPITALS_PX_MIN, Math.round(CAPITALS_SHARE * Math.min(width, height))));

/** @param capitals cap height in px @param lines 2 breaks a phrase at a space */
function makeStamp(wish: StampRequest, capitals: number, lines: 1 | 2 = 1): Stamp {
  const plan = wish.style === 'icon' ? planIcon(wish, capitals) : planPhrase(wish, capitals, lines);
  const { width, height, radius, texts, lineHeight } = plan;
  const coverage = createCoverage(width, height);
  const paint = (outlines: number[][]): Float32Array => {
    const { left, top, width: across, height: down, shares } = coverage(outlines);
    const plane = new Float32Array(width * height);
    for (let y = 0; y < down; y += 1)
      for (let x = 0; x < Math.min(across, width - left); x += 1)
        plane[(top + y) * width + left + x] = shares[y * across + x]!;
    return plane;
  };
  const edge = Math.max(1, Math.round(lineHeight * EDGE_SHARE));
  const opacity = paint([roundedBox({ width, height, radius, inset: 0 })]);
  const plate = paint([roundedBox({ width, height, radius, inset: edge })]);
  const letters = new Float32Array(width * height);
  for (const { text, x, y, size } of texts) {
    const ink = paint(outlinesOf(wish.typeface.getPath(text, x, y, size).commands));
    for (const [at, share] of ink.entries()) letters[at] = Math.max(letters[at]!, share);
  }
  const tone = plate.map((share, at) => 1 - share * (1 - letters[at]!));
  const words = labelParts(wish).join(' ');
  return { words, width, height, margin: Math.round(lineHeight * MARGIN_SHARE), opacity, tone };
}

interface Plan {
  readonly width: number;
  readonly height: number;
  readonly radius: number;
  readonly lineHeight: number;
  /** Text that starts at x on the baseline y; `size` is the em size. */
  readonly texts: readonly { text: string; x: number; y: number; size: number }[];
}

function planIcon(wish: StampRequest, capitals: number): Plan {
  const { typeface } = wish;
  const [acronym, word] = labelParts(wish);
  const height = Math.round(capitals / ICON.word);
  const large = Math.round(height * ICON.acronym);
  let x = height * ICON.padding;
  const texts: { text: string; x: number; y: number; size: number }[] = [];
  const add = (text: string, px: number): void => {
    const size = sizeOf(typeface, px);
    texts.push({ text, x, y: Math.round((height + px) / 2), size });
    x += typeface.getAdvanceWidth(text, size);
  };
  add(acronym, large);
  if (word !== undefined) {
    x += height * ICON.gap;
    add(word, capitals);
  }
  const width = Math.ceil(x + height * ICON.padding);
  return { width, height, radius: height / 2, lineHeight: height, texts };
}

function planPhrase(wish: StampRequest, capitals: number, lines: 1 | 2): Plan {
  const { typeface } = wish;
  const [phrase] = labelParts(wish);
  const size = sizeOf(typeface, capitals);
  const widthOf = (text: string): number => typeface.getAdvanceWidth(text, size);
  const broken = lines === 1 ? [phrase] : breakPhrase(phrase, widthOf);
  const lineHeight = Math.round(capitals * PHRASE.height);
  const pitch = Math.round(capitals * PHRASE.pitch);
  const padding = capitals * PHRASE.padding;
  const first = Math.round((lineHeight + capitals) / 2);
  return {
    width: Math.ceil(Math.max(...broken.map(widthOf)) + 2 * padding),
    height: lineHeight + pitch * (broken.length - 1),
    radius: capitals * PHRASE.radius,
    lineHeight,
    texts: broken.map((text, line) => ({ text, x: padding, y: first + line * pitch, size })),
  };
}

/** Breaks a phrase into two lines, the longer as short as possible; one line if it has no space. */
function breakPhrase(phrase: string, widthOf: (text: string) => number): string[] {
  const words = phrase.split(' ');
  const breaks = words
    .slice(1)
    .map((_, at) => [words.slice(0, at + 1).join(' '), words.slice(at + 1).join(' ')]);
  const longest = (lines: string[]): number => Math.max(...lines.map(widthOf));
  return breaks.toSorted((one, other) => longest(one) - longest(other))[0] ?? [phrase];
}

/** Em size for a cap height of `px`. */
function sizeOf(typeface: Typeface, px: number): number {
  const { unitsPerEm } = typeface;
  const highest = typeface
    .getPath('H', 0, 0, unitsPerEm)
    .commands.reduce((top, command) => (command.type === 'Z' ? top : Math.min(top, command.y)), 0);
  return (px * unitsPerEm) / -highest;
}

const CORNER_STEPS = 16;

/** Outline of a box with round corners, as points x, y, x, y … */
function roundedBox({
  width,
  height,
  radius,
  inset,
}: {
  width: number;
  height: number;
  radius: number;
  inset: number;
}): number[] {
  const round = Math.max(0, radius - inset);
  const corners = [
    [width - inset - round, height - inset - round],
    [inset + round, height - inset - round],
    [inset + round, inset + round],
    [width - inset - round, inset + round],
  ] as const;
  return corners.flatMap(([x, y], corner) =>
    Array.from({ length: CORNER_STEPS + 1 }, (_, step) => {
      const angle = ((corner + step / CORNER_STEPS) * Math.PI) / 2;
      return [x + round * Math.cos(angle), y + round * Math.sin(angle)];
    }).flat(),
  );
}

export interface LabelRequest extends StampRequest {
  readonly corner: LabelCorner;
  /** Label recorded in the metadata. It stays if the pixels still show it. */
  readonly noted?: Pick<StampRequest, 'style' | 'language' | 'kind'>;
}

/** A label of this engine, as recorded in the file. */
export interface ShownLabel extends AiLabel {
  readonly style: LabelStyle;
  readonly language: LabelLanguage;
}

export interface DrawnLabel {
  readonly raster: DeepRaster;
  readonly label: ShownLabel;
  /** The image already shows this label; `raster` is the input. */
  readonly wasThere: boolean;
}

/** Smaller images have no room for a label. */
const SIDE_PX_MIN = 64;

/**
 * Draws a label into a corner of an upright sRGB or grey image; the label is opaque even on transparent pixels. Deterministic. An image
 * that already shows the label, or the one in its metadata, is not labelled again.
 * @throws EngineError unsuitable_image if the label does not fit
 */
export function drawLabel(raster: DeepRaster, wish: LabelRequest): DrawnLabel {
  const there = findLabel(raster, wish);
  if (there) return { raster, label: there, wasThere: true };
  const stamp = fittingStamp(raster, wish);
  const region = regionOf(raster, stamp, wish.corner);
  return { raster: withStamp(raster, stamp, region), label: labelOf(wish, stamp, region), wasThere: false };
}

function findLabel(raster: DeepRaster, wish: LabelRequest): ShownLabel | undefined {
  for (const candidate of [wish, ...(wish.noted ? [{ ...wish.noted, typeface: wish.typeface }] : [])]) {
    const stamp = stampFor(raster, candidate);
    if (!stamp) continue;
    for (const corner of LABEL_CORNERS) {
      const region = regionOf(raster, stamp, corner);
      if (showsStamp(raster, stamp, region)) return labelOf(candidate, stamp, region);
    }
  }
  return undefined;
}

const labelOf = ({ style, language }: StampRequest, { words }: Stamp, region: Region): ShownLabel => ({
  words,
  style,
  language,
  region,
});

function fittingStamp(raster: DeepRaster, wish: StampRequest): Stamp {
  const stamp = stampFor(raster, wish);
  if (stamp) return stamp;
  const { width, margin } = makeStamp(wish, CAPITALS_PX_MIN, 2);
  const needed = Math.max(SIDE_PX_MIN, width + 2 * margin);
  throw new EngineError(
    'unsuitable_image',
    `The image is ${raster.width} × ${raster.height} px. The label "${labelParts(wish).join(' ')}" needs at least ${needed} × ${SIDE_PX_MIN} px to be legible. Send a larger image, or leave ai.label out.`,
  );
}

/** A stamp in the standard size; if it is too wide, smaller and then in two lines. Undefined if no legible one fits. */
function stampFor({ width, height }: DeepRaster, wish: StampRequest): Stamp | undefined {
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

/** A copy with the stamp composited over it; alpha is not premultiplied. */
function withStamp(raster: DeepRaster, { opacity, tone }: Stamp, region: Region): DeepRaster {
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

/**
 * Largest mean difference, as a fraction of white, of the same label after JPEG and a watermark: quality 75 causes 0.02, other words 0.1.
 */
const DIFFERENCE_MAX = 0.06;

/** Whether the image shows the opaque pixels of the stamp in the region. */
function showsStamp(raster: DeepRaster, { opacity, tone }: Stamp, region: Region): boolean {
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
