import { openPicture } from '../../codecs/open_picture.ts';
import { decodeRaster } from '../../codecs/read_raster.ts';
import { EngineError } from '../../errors/engine_error.ts';
import { tiffOf } from '../../intake/prepare_picture.ts';
import type { Size } from '../../pixels/plane.ts';
import type { Raster } from '../../pixels/raster.ts';
import type { Curve } from '../../vectorize/fit_curve.ts';
import { type ContourOptions, type CutContour, cutContour } from '../contour/cut_contour.ts';
import { nearestSeeds } from '../contour/distance_field.ts';
import type { Opacity } from '../contour/opacity.ts';
import { OUTLINE_PIXELS_MAX, OUTLINE_PIXELS_PER_MM_MAX } from '../limits.ts';
import type { RenderedSource, Source } from './sources.ts';
import type { Rect } from './types.ts';

export interface CutOptions extends ContourOptions {
  /** Between artwork and cut: bare material, or the edge colours of the artwork, extended beyond the cut. */
  readonly border: 'bare' | 'extend';
}

/** A sticker before it is written into a file. */
export interface Sticker {
  /** Size after cutting, or the requested size. */
  readonly sizeMm: Size;
  /** In millimetres from the lower left corner of the sticker. */
  readonly curves: readonly Curve[];
  readonly placement: { readonly scale: number; readonly x: number; readonly y: number };
  /** Extended edge colours, and their position in millimetres. */
  readonly extendedColors?: { readonly raster: Raster; readonly at: Rect } | undefined;
  /** The sticker on white, as TIFF. */
  readonly picture: Uint8Array;
  readonly report: Pick<CutContour, 'nodes' | 'holes' | 'specks'>;
}

/** Alpha from which a pixel belongs to the artwork. */
const OPAQUE = 128;
/** Pixels that supply edge colours: opaque, and deep enough inside to be unaffected by antialiasing. */
const SOLID = { share: 0.98, depthPx: 2, shareAtLeast: 0.9 };
const PROBE_PX = 1200;
/** Minimum extension of the colours beyond the cut. */
const EXTENDED_MM_MIN = 1;
/** Maximum pixels of a rendered drawing that is only partly opaque. */
const DRAWN_PIXELS_MAX = 10_000_000;

/**
 * Computes the cut contour of a sticker and scales its artwork so that the sticker has the requested size.
 * @param sizeMm absent: the artwork keeps its size
 * @throws EngineError unsuitable_image for artwork without transparent parts
 */
export async function cutPiece(
  source: Source,
  request: CutOptions,
  { sizeMm, bleedMm }: { readonly sizeMm: Size | undefined; readonly bleedMm: number },
): Promise<Sticker> {
  const opaque = await opaqueBounds(source);
  const units = { width: opaque.right - opaque.left, height: opaque.top - opaque.bottom };
  const { offsetMm } = request;
  const scale = scaleOf(source, units, { sizeMm, offsetMm });
  const art = { width: units.width * scale, height: units.height * scale };
  const size = sizeMm ?? { width: art.width + 2 * offsetMm, height: art.height + 2 * offsetMm };
  const [restX, restY] = [(size.width - art.width) / 2, (size.height - art.height) / 2];
  const beyond = Math.max(bleedMm, EXTENDED_MM_MIN);
  const padMm = Math.max(0, offsetMm) + request.smoothingMm + beyond + 0.5;
  const worked = await renderContourRaster(source, opaque, { scale, size, padMm });
  const contour = cutContour(worked, request);
  const { pixelsPerMm, artAt } = worked;
  /** From the upper left corner of the raster to the lower left corner of the sticker. */
  const [moveX, moveY] = [restX - artAt.left, size.height - restY + artAt.top];
  const curves = contour.curves.map((curve) =>
    curve.map((value, axis) => (axis % 2 === 0 ? value + moveX : moveY - value)),
  );
  const under = request.border === 'extend' ? extendColors(worked, contour, beyond * pixelsPerMm) : undefined;
  const at: Rect = {
    left: moveX,
    top: moveY,
    right: moveX + worked.width / pixelsPerMm,
    bottom: moveY - worked.height / pixelsPerMm,
  };
  return {
    sizeMm: size,
    curves,
    placement: { scale, x: restX - scale * opaque.left, y: restY - scale * opaque.bottom },
    ...(under && { extendedColors: { raster: under, at } }),
    picture: renderSticker(worked, under, { size, moveX, moveY }),
    report: contour,
  };
}

/** Returns the millimetres per unit of the artwork. */
function scaleOf(
  source: Source,
  units: Size,
  { sizeMm, offsetMm }: { sizeMm: Size | undefined; offsetMm: number },
): number {
  if (!sizeMm) return source.sizeMm!.width / source.size.width;
  const room = { width: sizeMm.width - 2 * offsetMm, height: sizeMm.height - 2 * offsetMm };
  if (Math.min(room.width, room.height) < 1)
    throw new EngineError(
      'invalid_input',
      `An offset of ${offsetMm} mm on each side leaves no room for the image in a size of ${sizeMm.width} × ${sizeMm.height} mm. Send a smaller cut.offset_mm or a larger size.`,
      { errors: [{ field: 'cut.offset_mm', code: 'too_large', message: 'leaves no room for the image' }] },
    );
  return Math.min(room.width / units.width, room.height / units.height);
}

/** Returns the bounds of the opaque part of the artwork, in its units. @throws EngineError unsuitable_image */
async function opaqueBounds(source: Source): Promise<Rect> {
  const longest = Math.max(source.size.width, source.size.height);
  const probe = {
    width: (PROBE_PX * source.size.width) / longest,
    height: (PROBE_PX * source.size.height) / longest,
  };
  const drawn = await source.render(probe, true);
  const { width, height, data } = await decodeRaster(
    openPicture(drawn.bytes)
      .toColourspace('srgb')
      .ensureAlpha()
      .extractChannel(3)
      .resize({ width: PROBE_PX, height: PROBE_PX, fit: 'inside', withoutEnlargement: true }),
  );
  const highest = { columns: new Uint8Array(width), rows: new Uint8Array(height) };
  let clear = 0;
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 1) {
      const alpha = data[at]!;
      if (alpha < OPAQUE) clear += 1;
      if (alpha > highest.columns[x]!) highest.columns[x] = alpha;
      if (alpha > highest.rows[y]!) highest.rows[y] = alpha;
    }
  if (clear === 0) throw unsuitable(NO_TRANSPARENCY);
  const [across, down] = [extentOf(highest.columns), extentOf(highest.rows)];
  if (!across || !down) throw unsuitable('it is fully transparent');
  const { left, bottom, right, top } = drawn.area;
  const [unitX, unitY] = [(right - left) / width, (top - bottom) / height];
  return {
    left: left + across[0] * unitX,
    right: left + across[1] * unitX,
    top: top - down[0] * unitY,
    bottom: top - down[1] * unitY,
  };
}

const NO_TRANSPARENCY =
  'it has no transparent parts, so there is no outline to follow. Call remove_background first and send its result';

/** Returns the opaque extent of a line of pixels, with subpixel accuracy from the opacity of the outermost ones. */
function extentOf(alphas: Uint8Array): [number, number] | undefined {
  const first = alphas.findIndex((alpha) => alpha >= OPAQUE);
  if (first < 0) return undefined;
  const last = alphas.findLastIndex((alpha) => alpha >= OPAQUE);
  return [first + 1 - alphas[first]! / 255, last + alphas[last]! / 255];
}

interface ContourRaster extends Opacity {
  readonly rgba: Uint8Array;
  /** Upper left corner of the opaque part, in millimetres of this raster. */
  readonly artAt: { readonly left: number; readonly top: number };
}

/** Renders the opaque part at the resolution for contour tracing, with a transparent border. */
async function renderContourRaster(
  source: Source,
  opaque: Rect,
  { scale, size, padMm }: { scale: number; size: Size; padMm: number },
): Promise<ContourRaster> {
  const area = (size.width + 2 * padMm) * (size.height + 2 * padMm);
  const whole = source.size.width * source.size.height * scale ** 2;
  const wanted = Math.min(
    OUTLINE_PIXELS_PER_MM_MAX,
    Math.sqrt(OUTLINE_PIXELS_MAX / area),
    Math.sqrt(DRAWN_PIXELS_MAX / whole),
  );
  const drawn = await source.render(
    { width: source.size.width * scale * wanted, height: source.size.height * scale * wanted },
    true,
  );
  const cut = cropAround(drawn, opaque);
  const mmX = (scale * (drawn.area.right - drawn.area.left)) / drawn.size.width;
  const columns = Math.max(1, Math.round(cut.width * mmX * wanted));
  const pixelsPerMm = columns / (cut.width * mmX);
  const rows = Math.max(1, Math.round((cut.height * columns) / cut.width));
  const { data } = await decodeRaster(
    openPicture(drawn.bytes)
      .extract({ left: cut.left, top: cut.top, width: cut.width, height: cut.height })
      .toColourspace('srgb')
      .ensureAlpha()
      .resize({ width: columns, height: rows, fit: 'fill', kernel: 'cubic' }),
  );
  const pad = Math.ceil(padMm * pixelsPerMm) + 2;
  const [width, height] = [columns + 2 * pad, rows + 2 * pad];
  const rgba = new Uint8Array(4 * width * height);
  for (let row = 0; row < rows; row += 1)
    rgba.set(data.subarray(4 * columns * row, 4 * columns * (row + 1)), 4 * ((row + pad) * width + pad));
  const coverage = new Float32Array(width * height);
  for (let at = 0; at < coverage.length; at += 1) coverage[at] = rgba[4 * at + 3]! / 255;
  return {
    width,
    height,
    coverage,
    pixelsPerMm,
    rgba,
    artAt: {
      left: pad / pixelsPerMm + cut.insetX * mmX,
      top: pad / pixelsPerMm + cut.insetY * mmX,
    },
  };
}

/** Returns the pixel rectangle around the opaque part, and the offset of that part inside it. */
function cropAround({ size, area }: RenderedSource, opaque: Rect) {
  const [perX, perY] = [size.width / (area.right - area.left), size.height / (area.top - area.bottom)];
  const [x, y] = [(opaque.left - area.left) * perX, (area.top - opaque.top) * perY];
  const [right, bottom] = [(opaque.right - area.left) * perX, (area.top - opaque.bottom) * perY];
  const left = Math.max(0, Math.floor(x) - 2);
  const top = Math.max(0, Math.floor(y) - 2);
  return {
    left,
    top,
    width: Math.max(1, Math.min(size.width, Math.ceil(right) + 2) - left),
    height: Math.max(1, Math.min(size.height, Math.ceil(bottom) + 2) - top),
    insetX: x - left,
    insetY: y - top,
  };
}

/** Fills the sticker and its bleed with the colour of the nearest solid pixel; white elsewhere. */
function extendColors(
  { width, height, rgba, coverage }: ContourRaster,
  { depth }: CutContour,
  beyond: number,
): Raster {
  const isSolid = solidPixels(coverage, width);
  const { seeds } = nearestSeeds(isSolid, { width, height });
  const data = new Uint8Array(3 * width * height).fill(255);
  for (let at = 0; at < coverage.length; at += 1) {
    const seed = seeds[at]!;
    if (depth[at]! < -beyond || seed < 0) continue;
    data.set(rgba.subarray(4 * seed, 4 * seed + 3), 3 * at);
  }
  return { width, height, channels: 3, data };
}

/** Finds the solid pixels; in thin artwork, all nearly opaque pixels. */
function solidPixels(share: Float32Array, width: number): Uint8Array {
  const around = [0, 1, -1, width, -width].map((step) => step * SOLID.depthPx);
  const solid = Uint8Array.from(share, (_, at) =>
    around.every((step) => share[at + step]! >= SOLID.share) ? 1 : 0,
  );
  return solid.includes(1) ? solid : Uint8Array.from(share, (value) => (value >= SOLID.shareAtLeast ? 1 : 0));
}

/** Renders the sticker as TIFF: artwork on the extended colours, or on white. */
function renderSticker(
  { width, height, rgba, pixelsPerMm }: ContourRaster,
  under: Raster | undefined,
  { size, moveX, moveY }: { size: Size; moveX: number; moveY: number },
): Uint8Array {
  const [across, down] = [size.width, size.height].map((mm) => Math.max(8, Math.round(mm * pixelsPerMm))) as [
    number,
    number,
  ];
  const [left, top] = [Math.round(-moveX * pixelsPerMm), Math.round((moveY - size.height) * pixelsPerMm)];
  const data = new Uint8Array(3 * across * down).fill(255);
  for (let y = Math.max(0, -top); y < down && y + top < height; y += 1)
    for (let x = Math.max(0, -left); x < across && x + left < width; x += 1) {
      const from = (y + top) * width + x + left;
      const alpha = rgba[4 * from + 3]! / 255;
      for (let channel = 0; channel < 3; channel += 1) {
        const ground = under ? under.data[3 * from + channel]! : 255;
        data[3 * (y * across + x) + channel] = Math.round(
          alpha * rgba[4 * from + channel]! + (1 - alpha) * ground,
        );
      }
    }
  return tiffOf({ width: across, height: down, channels: 3, data, warnings: [] });
}

const unsuitable = (reason: string): EngineError =>
  new EngineError('unsuitable_image', `No cut contour can be created for the image: ${reason}.`, {
    errors: [{ field: 'image', code: 'unsuitable', message: `No outline: ${reason}.` }],
  });
