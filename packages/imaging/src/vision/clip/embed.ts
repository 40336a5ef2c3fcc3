import { awaitDecoding, openPicture } from '../../codecs/open_picture.ts';
import type { Numbers, Session } from '../../onnx/session.ts';
import { CLIP_OUTPUTS } from './outputs.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Input side of the image encoder, in pixels. */
export const CLIP_SIDE_PX = 224;
// Mean of OpenAI's training images, used by every CLIP and TinyCLIP.
const MEAN = [0.481_454_66, 0.457_827_5, 0.408_210_73] as const;
const DEVIATION = [0.268_629_54, 0.261_302_58, 0.275_777_11] as const;

type Encoder = Pick<Session, 'runNamed'>;

/** Embeds a text. @param encoder the part of the graph that returns `CLIP_OUTPUTS.text` */
export function embedText(encoder: Encoder, tokenizer: Tokenizer, text: string): Promise<Float32Array> {
  const tokens = BigInt64Array.from(tokenizer.encode(text), BigInt);
  const sides = [1, tokens.length];
  const inputs = {
    input_ids: { data: tokens, sides },
    attention_mask: { data: new BigInt64Array(tokens.length).fill(1n), sides },
  };
  return vectorOf(encoder, inputs, CLIP_OUTPUTS.text);
}

/**
 * Embeds an image. @param encoder the part of the graph that returns `CLIP_OUTPUTS.picture`
 * @throws EngineError undecodable_image, image_too_large
 */
export async function embedPicture(encoder: Encoder, bytes: Uint8Array): Promise<Float32Array> {
  const data = await pictureInput(bytes);
  const inputs = { pixel_values: { data, sides: [1, 3, CLIP_SIDE_PX, CLIP_SIDE_PX] } };
  return vectorOf(encoder, inputs, CLIP_OUTPUTS.picture);
}

async function vectorOf(
  encoder: Encoder,
  inputs: Readonly<Record<string, Numbers>>,
  output: string,
): Promise<Float32Array> {
  return (await encoder.runNamed(inputs, [output])).get(output)!.data;
}

/** Centre crop with a shorter side of 224 pixels (bicubic), on white, as three planes normalised by mean and deviation. */
export async function pictureInput(bytes: Uint8Array): Promise<Float32Array> {
  const pixels = await awaitDecoding(
    openPicture(bytes)
      .toColourspace('srgb')
      .flatten({ background: 'white' })
      .resize({
        width: CLIP_SIDE_PX,
        height: CLIP_SIDE_PX,
        fit: 'cover',
        position: 'centre',
        kernel: 'cubic',
      })
      .removeAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer(),
  );
  const area = CLIP_SIDE_PX * CLIP_SIDE_PX;
  const channels = pixels.length / area;
  const input = new Float32Array(3 * area);
  for (let plane = 0; plane < 3; plane += 1)
    for (let at = 0; at < area; at += 1)
      // A greyscale channel is repeated.
      input[plane * area + at] =
        (pixels[at * channels + (channels < 3 ? 0 : plane)]! / 255 - MEAN[plane]!) / DEVIATION[plane]!;
  return input;
}
