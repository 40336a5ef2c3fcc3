import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { sharp } from '../codecs/sharp.ts';
import type { Box } from '../pixels/box.ts';

/** What is looked at, in pixels: libvips reduces pictures further by itself. */
const SIDE_PX = 512;
/** Sides of the box around the point that draws the eye, as parts of those of the picture. */
const BOX_SIDE = 0.5;

/**
 * The half of each side around what draws the eye by edges, saturated colours and skin (libvips, `smartcrop` with "attention"), in parts of width and
 * height. It knows no objects, and always answers.
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
  // A window of the shape of the picture would be all of it, and nothing would be looked at.
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

/** Where the box begins, within the picture. */
const around = (point: number): number => Math.min(1 - BOX_SIDE, Math.max(0, point - BOX_SIDE / 2));
