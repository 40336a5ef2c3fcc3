import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { sharp } from '../codecs/sharp.ts';
import type { Box } from '../pixels/box.ts';

/** Analysed size in pixels: libvips reduces images further by itself. */
const SIDE_PX = 512;
/** Side of the returned box, as a fraction of the image side. */
const BOX_SIDE = 0.5;

/**
 * The half-size box around the most salient point, judged by edges, saturation and skin tones (libvips `smartcrop` with "attention"), as
 * fractions of width and height. It does not detect objects and always returns a box.
 * @throws EngineError undecodable_image, image_too_large, unsupported_image
 */
export async function findAttention(bytes: Uint8Array): Promise<Box> {
  const small = await awaitDecoding(
    openPicture(bytes)
      .resize({ width: SIDE_PX, height: SIDE_PX, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#808080' })
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true }),
  );
  const { data, info: raw } = small;
  // A window with the image's own aspect ratio would cover everything and nothing would be analysed.
  const [width, height] =
    raw.width >= raw.height
      ? [Math.max(1, Math.round(raw.width / 2)), raw.height]
      : [raw.width, Math.max(1, Math.round(raw.height / 2))];
  const { info } = await sharp(data, { raw })
    .resize({ width, height, fit: 'cover', position: sharp.strategy.attention })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    x: around((info.attentionX ?? raw.width / 2) / raw.width),
    y: around((info.attentionY ?? raw.height / 2) / raw.height),
    width: BOX_SIDE,
    height: BOX_SIDE,
  };
}

/** Start of the box, clamped to the image. */
const around = (point: number): number => Math.min(1 - BOX_SIDE, Math.max(0, point - BOX_SIDE / 2));
