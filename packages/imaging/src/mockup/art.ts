import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import type { Size } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { LINEAR } from '../pixels/srgb_transfer.ts';

/** The decoded artwork, at about the size at which it appears in the mockup. */
export interface Art extends Size {
  /** Premultiplied linear RGB and alpha, 0 to 65535, with a border of one pixel on each side. */
  readonly samples: Uint16Array;
  /** No pixel is transparent. */
  readonly isOpaque: boolean;
  /** How the artwork was fitted to the box the product requested. */
  readonly fit: ArtPlacement['fit'];
}

/** Properties of an artwork before it is decoded. */
export interface ArtProperties extends Size {
  /** Parts are transparent: a motif to be placed, not an image that fills a surface. */
  readonly isMotif: boolean;
}

/** A rectangle as fractions of a box, measured from its top left corner. */
export interface HiddenArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The box a product reserves for the artwork, and how the artwork is fitted to it. */
export type ArtPlacement = {
  /** Scene units. */
  readonly box: Size;
  /** Colour under transparent parts; absent: they stay transparent. */
  readonly background?: string;
} & (
  | { readonly fit: 'contain' }
  /** Fills the box; a part of the product covers this area. */
  | { readonly fit: 'cover'; readonly hidden: HiddenArea }
);

const NO_HIDDEN_AREA: HiddenArea = { left: 0, top: 0, width: 0, height: 0 };

/** Fills a surface with an image, of which `hidden` is covered; a motif is placed whole on a fraction of it. */
export const coverOrContain = (
  { isMotif }: ArtProperties,
  { box, part, hidden = NO_HIDDEN_AREA }: { box: Size; part: number; hidden?: HiddenArea },
): ArtPlacement =>
  isMotif
    ? { box: { width: part * box.width, height: part * box.height }, fit: 'contain' }
    : { box, fit: 'cover', hidden };

interface LoadArtOptions {
  readonly box: Size;
  /** `contain` shows the whole artwork, `cover` fills the box. */
  readonly fit: ArtPlacement['fit'];
  readonly background?: string;
  /** For `contain`: stretches the artwork to the box. */
  readonly isStretched?: boolean;
  /** Output pixels per scene unit. */
  readonly density: number;
  readonly focus: Focus;
}

/** For `cover`: the fraction of the excess that is cropped from the left and from the top, 0 to 1. */
export interface Focus {
  readonly x: number;
  readonly y: number;
}

/**
 * Decodes, fits and linearises an artwork.
 * @throws EngineError undecodable_image, image_too_large
 */
export async function loadArt(
  bytes: Uint8Array,
  { box, fit, isStretched = false, density, background, focus }: LoadArtOptions,
): Promise<Art> {
  const size = { width: Math.round(box.width * density), height: Math.round(box.height * density) };
  const opened = openPicture(bytes).toColourspace('srgb');
  const flattened = background ? opened.flatten({ background }) : opened;
  if (fit === 'contain') {
    const resized = flattened.resize({ ...size, fit: isStretched ? 'fill' : 'inside' });
    return { ...artFromRaster(await decodeRaster(resized)), fit };
  }
  const { autoOrient: seen } = await awaitDecoding(openPicture(bytes).metadata());
  const cut = cropOf(seen, box, focus);
  return {
    ...artFromRaster(await decodeRaster(flattened.extract(cut).resize({ ...size, fit: 'fill' }))),
    fit,
  };
}

/** The crop of an image that fills a box, in whole pixels. */
export function cropOf(picture: Size, box: Size, focus: Focus): Size & { left: number; top: number } {
  const scale = Math.max(box.width / picture.width, box.height / picture.height);
  const width = Math.max(1, Math.min(picture.width, Math.round(box.width / scale)));
  const height = Math.max(1, Math.min(picture.height, Math.round(box.height / scale)));
  return {
    left: Math.round(focus.x * (picture.width - width)),
    top: Math.round(focus.y * (picture.height - height)),
    width,
    height,
  };
}

/**
 * Whether an image is fully opaque, partly transparent or fully transparent.
 * @throws EngineError undecodable_image, image_too_large
 */
export async function classifyOpacity(bytes: Uint8Array): Promise<'whole' | 'part' | 'none'> {
  const { hasAlpha } = await awaitDecoding(openPicture(bytes).metadata());
  if (hasAlpha !== true) return 'whole';
  // sharp's statistics of the whole image take three times as long as decoding it.
  const { data } = await decodeRaster(openPicture(bytes).toColourspace('srgb').extractChannel('alpha'));
  let [minimum, maximum] = [255, 0];
  for (let at = 0; at < data.length; at += 1) {
    if (data[at]! < minimum) minimum = data[at]!;
    if (data[at]! > maximum) maximum = data[at]!;
  }
  return minimum === 255 ? 'whole' : maximum === 0 ? 'none' : 'part';
}

const LINEAR_16 = Uint16Array.from(LINEAR, (light) => Math.round(65535 * light));

/** Adds a border of transparent pixels; premultiplied, so that interpolation at the edge does not darken. */
function artFromRaster({ width, height, channels, data }: Raster): Omit<Art, 'fit'> {
  const samples = new Uint16Array(4 * (width + 2) * (height + 2));
  const hasAlpha = channels % 2 === 0;
  const [green, blue] = channels >= 3 ? [1, 2] : [0, 0];
  let isOpaque = true;
  for (let row = 0; row < height; row += 1) {
    let to = 4 * ((row + 1) * (width + 2) + 1);
    const end = channels * (row + 1) * width;
    for (let from = channels * row * width; from < end; from += channels, to += 4) {
      const opacity = hasAlpha ? data[from + channels - 1]! : 255;
      if (opacity === 255) {
        samples[to] = LINEAR_16[data[from]!]!;
        samples[to + 1] = LINEAR_16[data[from + green]!]!;
        samples[to + 2] = LINEAR_16[data[from + blue]!]!;
        samples[to + 3] = 65535;
        continue;
      }
      isOpaque = false;
      const share = opacity / 255;
      samples[to] = LINEAR_16[data[from]!]! * share;
      samples[to + 1] = LINEAR_16[data[from + green]!]! * share;
      samples[to + 2] = LINEAR_16[data[from + blue]!]! * share;
      samples[to + 3] = opacity * 257;
    }
  }
  return { width, height, samples, isOpaque };
}

/** Downsamples an artwork 2x with a box filter, for minified rendering. */
export function downsampleArt2x(art: Art): Art {
  const [width, height] = [Math.max(1, art.width >> 1), Math.max(1, art.height >> 1)];
  const samples = new Uint16Array(4 * (width + 2) * (height + 2));
  const from = art.samples;
  const stride = 4 * (art.width + 2);
  // A side of one pixel is read twice.
  const [right, below] = [art.width > 1 ? 4 : 0, art.height > 1 ? stride : 0];
  for (let row = 0; row < height; row += 1) {
    let at = (2 * row + 1) * stride + 4;
    let to = 4 * ((row + 1) * (width + 2) + 1);
    for (let column = 0; column < width; column += 1, at += 8)
      for (let channel = at; channel < at + 4; channel += 1, to += 1)
        samples[to] =
          (from[channel]! +
            from[channel + right]! +
            from[channel + below]! +
            from[channel + below + right]! +
            2) >>
          2;
  }
  return { ...art, width, height, samples };
}
