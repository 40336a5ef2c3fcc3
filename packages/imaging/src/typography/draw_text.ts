import type { Rgba } from '../color/css_color.ts';
import type { DecoderResources } from '../decoders/types.ts';
import type { DrawnLayer, Region } from '../drawing/layer.ts';
import {
  coverageMask,
  joinRegions,
  type Mask,
  type Paint,
  paintRegion,
  regionOf,
  shadowOf,
  shadowReach,
} from '../drawing/mask.ts';
import {
  type Affine,
  combine,
  flatten,
  grow,
  type Outlines,
  rotation,
  transform,
} from '../drawing/outline.ts';
import { rectangle } from '../drawing/shape_outlines.ts';
import type { Size } from '../pixels/plane.ts';
import { type ColorGlyph, colorGlyph, paintColorGlyphs } from './color_glyphs.ts';
import type { Font } from './font.ts';
import { TEXT_STROKE_PX_MAX } from './limits.ts';
import type { ReadFont } from './open_fonts.ts';
import { type Box, type SetText, type SettingWish, setText } from './set_text.ts';

/** Text and its appearance. Lengths in px of the canvas. */
export interface TextWish extends SettingWish {
  /** Default: black. */
  readonly color?: Rgba | undefined;
  /** An outline behind the letters; `width` is its extent beyond them. */
  readonly stroke?: { readonly color: Rgba; readonly width: number } | undefined;
  /** `blur` as in CSS: twice the standard deviation. */
  readonly shadow?:
    | { readonly x: number; readonly y: number; readonly blur: number; readonly color: Rgba }
    | undefined;
  /** A box behind the lines. */
  readonly background?:
    | { readonly color: Rgba; readonly padding?: number | undefined; readonly radius?: number | undefined }
    | undefined;
  /** Degrees clockwise about the centre of the box. */
  readonly rotate?: number | undefined;
  /** 0 to 1. */
  readonly opacity?: number | undefined;
}

export interface DrawnText extends DrawnLayer {
  readonly facts: TextFacts;
}

/** Facts about the text for the response. */
export interface TextFacts {
  /** Around the lines before rotation, px. */
  readonly box: Box;
  readonly lines: readonly string[];
  /** Size in use, px. */
  readonly size: number;
  /** Families in use. */
  readonly fonts: readonly string[];
  readonly missingGlyphs: readonly string[];
  readonly overflows: boolean;
  /** The requested name, if the first of `fonts` replaced it. */
  readonly replacedFont?: string;
}

/** Files for text. */
export interface TextResources extends Pick<DecoderResources, 'readModule'> {
  readonly readFont: ReadFont;
}

const BLACK: Rgba = [0, 0, 0, 1];

/**
 * Sets and draws text on a canvas: background, shadow, outline, letters. Emoji are drawn in colour.
 * @param canvas pixels outside it are not drawn
 * @throws EngineError invalid_input: empty or too long text, an unknown family
 */
export async function drawText(wish: TextWish, canvas: Size, resources: TextResources): Promise<DrawnText> {
  const { facts, ink } = typeset(wish, resources);
  const letters = letteredRegion(ink, wish, canvas);
  const region = joinRegions(letters, regionOf([ink.plate], 0, canvas));
  if (!region) return { left: 0, top: 0, facts };
  const { width, height } = region;
  const data = paintRegion(await paintsOf(ink, wish, { region, resources }), region, wish.opacity);
  return { left: region.left, top: region.top, raster: { width, height, channels: 4, data }, facts };
}

export interface Typeset {
  readonly set: SetText;
  readonly facts: TextFacts;
  readonly ink: Ink;
}

/** Sets text and converts it to outlines. @throws EngineError invalid_input: empty or too long text, an unknown family */
export function typeset(wish: TextWish, { readFont }: Pick<TextResources, 'readFont'>): Typeset {
  const set = setText(wish, readFont);
  return { set, facts: factsOf(set), ink: inkOf(set, wish) };
}

/** The region covered by letters, outlines, emoji and the shadow. */
const letteredRegion = (
  { letters, grown, emoji }: Ink,
  { shadow }: TextWish,
  canvas: Size,
): Region | undefined =>
  regionOf(
    [...letters, ...grown, ...emoji.map(({ corners }) => [corners])],
    shadow ? shadowReach(shadow) : 0,
    canvas,
  );

/** The shadow, or undefined if none is on the canvas. */
export async function shadowMask(
  ink: Ink,
  wish: TextWish,
  { canvas, resources }: { canvas: Size; resources: TextResources },
): Promise<Mask | undefined> {
  const region = wish.shadow && letteredRegion(ink, wish, canvas);
  if (!wish.shadow || !region) return undefined;
  const pixels = ink.emoji.length > 0 ? await paintColorGlyphs(ink.emoji, region, resources) : undefined;
  const masks = [coverageMask(ink.letters, region), coverageMask(ink.grown, region)];
  return shadowOf(silhouette(masks, pixels), { ...wish.shadow, sigma: wish.shadow.blur / 2 });
}

function factsOf({
  size,
  lines,
  bounds,
  overflows,
  missingGlyphs,
  families,
  replacedFont,
}: SetText): TextFacts {
  return {
    box: bounds,
    lines: lines.map(({ text }) => text),
    size,
    fonts: families,
    missingGlyphs,
    overflows,
    ...(replacedFont !== undefined && { replacedFont }),
  };
}

/** Everything to draw, as outlines on the canvas. */
export interface Ink {
  readonly letters: readonly Outlines[];
  /** The letters expanded by the width of the stroke. */
  readonly grown: readonly Outlines[];
  readonly plate: Outlines;
  readonly emoji: readonly ColorGlyph[];
}

function inkOf(set: SetText, wish: TextWish): Ink {
  const { box, rotate = 0, stroke, background } = wish;
  const turn = rotation(rotate, box.x + box.width / 2, box.y + box.height / 2);
  const letters: Outlines[] = [];
  const grown: Outlines[] = [];
  const emoji: ColorGlyph[] = [];
  const grownGlyphs = new Map<Font, Map<number, Outlines>>();
  for (const { left, baseline, glyphs } of set.lines)
    for (const { font, id, x, y } of glyphs) {
      const place: Affine = [1, 0, 0, 1, left + x * set.size, baseline - y * set.size];
      if (font.isColor) {
        emoji.push(colorGlyph({ font, id }, combine(turn, place), set.size));
        continue;
      }
      const outline = flatten(
        font.outline(id),
        combine(combine(turn, place), [set.size, 0, 0, -set.size, 0, 0]),
      );
      if (outline.length === 0) continue;
      letters.push(outline);
      if (!stroke || stroke.width <= 0) continue;
      const width = Math.min(TEXT_STROKE_PX_MAX, stroke.width);
      const known = memo(
        memo(grownGlyphs, font, () => new Map<number, Outlines>()),
        id,
        () => grow(flatten(font.outline(id), [set.size, 0, 0, -set.size, 0, 0]), width),
      );
      grown.push(transform(known, combine(turn, place)));
    }
  return { letters, grown, plate: background ? transform(plateOf(set, background), turn) : [], emoji };
}

function memo<Key, Value>(values: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = values.get(key);
  if (known !== undefined) return known;
  const made = make();
  values.set(key, made);
  return made;
}

function plateOf(
  { bounds, size }: SetText,
  { padding = size / 4, radius = 0 }: NonNullable<TextWish['background']>,
) {
  const { x, y, width, height } = bounds;
  const box = { x: x - padding, y: y - padding, width: width + 2 * padding, height: height + 2 * padding };
  return flatten(rectangle(box, radius), [1, 0, 0, 1, 0, 0]);
}

async function paintsOf(
  ink: Ink,
  { color = BLACK, stroke, shadow, background }: TextWish,
  { region, resources }: { region: Region; resources: TextResources },
): Promise<Paint[]> {
  const fill = coverageMask(ink.letters, region);
  const outline = stroke && coverageMask(ink.grown, region);
  const pixels = ink.emoji.length > 0 ? await paintColorGlyphs(ink.emoji, region, resources) : undefined;
  const paints: Paint[] = [];
  if (background) paints.push({ mask: coverageMask([ink.plate], region), color: background.color });
  if (shadow) {
    const mask = shadowOf(silhouette([fill, ...(outline ? [outline] : [])], pixels), {
      ...shadow,
      sigma: shadow.blur / 2,
    });
    paints.push({ mask, color: shadow.color });
  }
  if (stroke && outline) paints.push({ mask: outline, color: stroke.color });
  paints.push({ mask: fill, color });
  if (pixels) paints.push({ pixels });
  return paints;
}

/** Union of everything that casts a shadow. */
function silhouette([first, ...others]: readonly Mask[], pixels: Uint8Array | undefined): Mask {
  const data = first!.data.map((share, at) =>
    Math.max(share, pixels?.[4 * at + 3] ?? 0, ...others.map((mask) => mask.data[at]!)),
  );
  return { ...first!, data };
}
