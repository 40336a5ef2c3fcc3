import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import type { Size } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { LINEAR } from '../pixels/srgb_transfer.ts';

/** The artwork at about the size it will be seen. */
export interface Art extends Size {
  /** Linear light times opacity, and opacity, 65535 the most; with a border of one pixel around it. */
  readonly samples: Uint16Array;
  /** Nothing of it is transparent. */
  readonly isOpaque: boolean;
  /** How it was fitted to the box the product wished for. */
  readonly fit: ArtWish['fit'];
}

/** An artwork before it is decoded. */
export interface ArtSeen extends Size {
  /** Part of it is transparent: it is a motif to be placed, not a picture to fill something with. */
  readonly isMotif: boolean;
}

/** Part of a box, from its upper left corner, 0 to 1. */
export interface Hidden {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** What a product wants of an artwork. */
export type ArtWish = {
  /** Scene units. */
  readonly box: Size;
  /** Lies under transparent parts; absent: they stay transparent. */
  readonly ground?: string;
} & (
  | { readonly fit: 'contain' }
  /** Fills the box; something of the product lies over this part of it. */
  | { readonly fit: 'cover'; readonly hidden: Hidden }
);

const NOTHING: Hidden = { left: 0, top: 0, width: 0, height: 0 };

/** Fills a surface with a picture, `hidden` where something lies over it; a motif is placed whole on a part of it. */
export const fillOrPlace = (
  { isMotif }: ArtSeen,
  { box, part, hidden = NOTHING }: { box: Size; part: number; hidden?: Hidden },
): ArtWish =>
  isMotif
    ? { box: { width: part * box.width, height: part * box.height }, fit: 'contain' }
    : { box, fit: 'cover', hidden };

interface LoadArtOptions {
  readonly box: Size;
  /** `contain` keeps all of it, `cover` fills the box. */
  readonly fit: ArtWish['fit'];
  readonly ground?: string;
  /** For `contain`: fills the box in other proportions. */
  readonly isStretched?: boolean;
  /** Pixels for a scene unit. */
  readonly density: number;
  readonly focus: Focus;
}

/** For `cover`: which part of what is over is cut off on the left and above, 0 to 1. */
export interface Focus {
  readonly x: number;
  readonly y: number;
}

/** @throws EngineError undecodable_image, image_too_large */
export async function loadArt(
  bytes: Uint8Array,
  { box, fit, isStretched = false, density, ground, focus }: LoadArtOptions,
): Promise<Art> {
  const size = { width: Math.round(box.width * density), height: Math.round(box.height * density) };
  const opened = openPicture(bytes).toColourspace('srgb');
  const laid = ground ? opened.flatten({ background: ground }) : opened;
  if (fit === 'contain') {
    const resized = laid.resize({ ...size, fit: isStretched ? 'fill' : 'inside' });
    return { ...artOf(await decodeRaster(resized)), fit };
  }
  const { autoOrient: seen } = await awaitDecoding(openPicture(bytes).metadata());
  const cut = cutOf(seen, box, focus);
  return { ...artOf(await decodeRaster(laid.extract(cut).resize({ ...size, fit: 'fill' }))), fit };
}

/** The part of a picture that fills a box, in whole pixels. */
export function cutOf(picture: Size, box: Size, focus: Focus): Size & { left: number; top: number } {
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

/** How much of it is opaque. @throws EngineError undecodable_image, image_too_large */
export async function opacityOf(bytes: Uint8Array): Promise<'whole' | 'part' | 'none'> {
  const { hasAlpha } = await awaitDecoding(openPicture(bytes).metadata());
  if (hasAlpha !== true) return 'whole';
  // Of the whole picture, statistics take three times as long as decoding it.
  const { data } = await decodeRaster(openPicture(bytes).toColourspace('srgb').extractChannel('alpha'));
  let [least, most] = [255, 0];
  for (let at = 0; at < data.length; at += 1) {
    if (data[at]! < least) least = data[at]!;
    if (data[at]! > most) most = data[at]!;
  }
  return least === 255 ? 'whole' : most === 0 ? 'none' : 'part';
}

const LIGHT = Uint16Array.from(LINEAR, (light) => Math.round(65535 * light));

/** A border of transparent pixels is put around it, in the colour of what they touch times no opacity. */
function artOf({ width, height, channels, data }: Raster): Omit<Art, 'fit'> {
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
        samples[to] = LIGHT[data[from]!]!;
        samples[to + 1] = LIGHT[data[from + green]!]!;
        samples[to + 2] = LIGHT[data[from + blue]!]!;
        samples[to + 3] = 65535;
        continue;
      }
      isOpaque = false;
      const share = opacity / 255;
      samples[to] = LIGHT[data[from]!]! * share;
      samples[to + 1] = LIGHT[data[from + green]!]! * share;
      samples[to + 2] = LIGHT[data[from + blue]!]! * share;
      samples[to + 3] = opacity * 257;
    }
  }
  return { width, height, samples, isOpaque };
}

/** An artwork at half its size, for where it is seen small: means of two by two pixels. */
export function halveArt(art: Art): Art {
  const [width, height] = [Math.max(1, art.width >> 1), Math.max(1, art.height >> 1)];
  const samples = new Uint16Array(4 * (width + 2) * (height + 2));
  const from = art.samples;
  const stride = 4 * (art.width + 2);
  // A side of one pixel is taken twice.
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
