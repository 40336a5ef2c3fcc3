import { countFrames } from '@atelier/imaging/codecs/count_frames.ts';
import { OUTPUT_FORMATS } from '@atelier/imaging/encoders/formats.ts';
import { resizedPixels } from '@atelier/imaging/resize/resized_pixels.ts';
import { z } from 'zod';
import type { SourceImage } from '../../../core/workers/types.ts';
import { briefly } from '../../definitions/brief.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { engineAnswer, imageAnswer, imageField, outputField } from '../../definitions/fields.ts';
import {
  type PassthroughServices,
  passthroughAnswer,
  passthroughAnswerFields,
  passthroughFields,
  passthroughOf,
} from '../../definitions/passthrough_answer.ts';
import { FREE } from '../../definitions/price.ts';
import { qualityAnswer } from '../../definitions/quality_answer.ts';
import {
  FORMAT_ALIASES,
  pixelsOfSaving,
  qualityReading,
  savedAnswer,
  savedFormatField,
  savingFields,
  wideColorField,
} from '../../definitions/saving_fields.ts';
import {
  enumSynonyms,
  inUnit,
  isText,
  sidesIn,
  withAliases,
  withCoercion,
  withDerivation,
  withSuggestion,
} from '../../definitions/spellings.ts';
import { defineTool } from '../../definitions/tool.ts';
import { RESIZE_SIDE_PX_MAX } from '../../definitions/tool_limits.ts';

/** A side of the box. If one is missing, the other alone determines the size. */
const sideField = () =>
  withSuggestion(
    withDerivation(
      withCoercion(
        z.int().min(1).max(RESIZE_SIDE_PX_MAX).describe('Pixels.'),
        inUnit('px', 'pixel', 'pixels'),
      ),
      (sent, { width, height }) =>
        isText(sent, /^auto$/i) && (width ?? height) !== undefined ? {} : bothSides(sent),
    ),
    ({ mode, width, height }) =>
      (mode ?? 'contain') === 'contain' && (width ?? height) ? RESIZE_SIDE_PX_MAX : undefined,
  );
/** Coerces a size such as "300x200" in a field of one side. */
const bothSides = (sent: unknown) => {
  const { unit, ...sides } = sidesIn(sent) ?? { unit: 'none' };
  return unit === '' || unit === 'px' ? sides : undefined;
};
const modeField = z.enum(['contain', 'cover', 'stretch']);
const modeInWords = enumSynonyms({
  fit: 'contain',
  inside: 'contain',
  crop: 'cover',
  exact: 'stretch',
  squash: 'stretch',
});
export const resizeImage = defineTool({
  name: 'resize_image',
  title: 'Resize an image',
  category: 'creative',
  toolset: 'edit',
  summary: 'Make an image smaller or larger, fitted, cropped or stretched, in any common format.',
  instead: { upscale_image: 'to gain detail', print_ready: 'for a print file' },
  words:
    'make smaller, shrink, scale down, reduce the file size, compress, too big to upload or attach to an email, thumbnail, avatar, profile picture, icon, cover, banner, header, wallpaper, post or story for instagram, crop or cut to a square, aspect ratio, change dimensions, width by height in pixels, exact size, convert heic, avif, tiff or png to jpg, jpeg or webp, change the format, too large for a form or an upload limit, mb, kb, half the size, optimise images for the web, page speed, favicon, app icon, social media size, youtube thumbnail, linkedin or x header, full hd, 1080p, change the resolution, lower resolution, fewer megapixels, aspect ratio 16:9, portrait or landscape format, limit of 5 mb, file too heavy, save as webp, as a jpeg instead of a png, downsample, halve, fit inside, reduce width or height, convert image format, resize to a quarter, percent of the size, squeeze, stretch, trim the edges, crop out, pad, square picture, 256 pixels, discord emoji, email attachment, quality of a jpeg, strip weight, turn a tiff or gif into a png or jpg, thumbnails, batch of sizes, retina, homepage, newsletter, slide, presentation',
  price: FREE,
  input: z.object({
    image: imageField,
    width: briefly(withAliases(sideField(), 'w', 'size', 'dimensions', 'resolution'), ''),
    height: briefly(withAliases(sideField(), 'h'), ''),
    mode: withAliases(
      withCoercion(
        modeField.default('contain').describe('contain keeps all, cover crops, stretch may distort.'),
        (sent) => (typeof sent === 'boolean' ? (sent ? 'contain' : 'stretch') : modeInWords(sent)),
      ),
      ...['fit', 'resize_mode', 'fit_mode', 'method', 'strategy'],
      ...['maintain_aspect_ratio', 'keep_aspect_ratio', 'preserve_aspect_ratio', 'keep_proportions'],
    ),
    format: briefly(
      withAliases(
        savedFormatField()
          .default('png')
          .describe('jpeg and pdf have no transparency: the background becomes white.'),
        ...FORMAT_ALIASES,
      ),
      '',
    ),
    quality: briefly(
      withCoercion(
        z.int().min(1).max(100).default(90).describe('For lossy formats: jpeg, webp, avif.'),
        qualityReading,
      ),
      '',
    ),
    light: briefly(
      z
        .enum(['linear', 'gamma'])
        .default('linear')
        .describe('Colour space for reducing: linear light, or gamma (stored values), as most programs use.'),
      '',
    ),
    color: wideColorField,
    measure: briefly(
      z
        .boolean()
        .default(false)
        .describe('Return quality: the loss of saving.')
        .meta({ title: 'Measure quality' }),
      '',
    ),
    ...savingFields,
    output: outputField,
    ...passthroughFields,
  }),
  output: z.object({
    ...imageAnswer,
    ...passthroughAnswerFields,
    mode: modeField,
    format: z.enum(OUTPUT_FORMATS),
    saved_quality: savedAnswer.saved_quality,
    frames: savedAnswer.frames,
    original_width: imageAnswer.width.describe('As stored in the file sent, before orientation is applied.'),
    original_height: imageAnswer.height,
    ...qualityAnswer,
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  releasesImages: true,
  examples: [
    { image: EXAMPLE_PNG_B64, width: 64, height: 64 },
    {
      image: EXAMPLE_PNG_B64,
      width: 80,
      height: 40,
      mode: 'cover',
      format: 'jpeg',
      quality: 80,
      output: 'url',
    },
  ],
  next: ({ result }) => [
    {
      action: 'Get its colours',
      tool: 'extract_palette',
      why: 'Names the main colours of the resized image',
      params: { image: result },
    },
    {
      action: 'Convert it for print',
      tool: 'convert_color_profile',
      why: 'Print shops require CMYK with an embedded profile',
      params: { image: result, target_profile: 'cmyk' },
    },
  ],
  async run(
    { image, output, measure, keep, keep_location, ...wanted },
    { pixels, ...services }: PassthroughServices,
    call,
  ) {
    const { lossless: isLossless, max_bytes: bytesMax, ...others } = wanted;
    const frameCount = countFrames(image.bytes);
    const { engine, quality, savedQuality, frames, notes, ...picture } = await pixels.run(
      'resize',
      {
        bytes: image.bytes,
        ...others,
        isLossless,
        bytesMax,
        frameCount,
        isMeasured: measure,
        carry: passthroughOf(
          { keep, keep_location },
          { shows: wanted.mode === 'cover' ? 'centre' : 'whole' },
        ),
      },
      { pixels: pixelsHeld(image, wanted, frameCount), ...call },
    );
    for (const note of notes) call.warn(note);
    return {
      ...(await passthroughAnswer(
        { pixels, ...services },
        picture,
        { image, action: 'c2pa.resized', showsTheSame: true, output, bytesMax },
        call,
      )),
      mode: wanted.mode,
      format: wanted.format,
      saved_quality: savedQuality,
      frames,
      original_width: image.width,
      original_height: image.height,
      quality,
      engine,
      degraded: false,
    };
  },
});

type Wanted = Parameters<typeof pixelsOfSaving>[1] &
  Parameters<typeof resizedPixels>[1] & { readonly frames: 'all' | 'first' };

/** Peak pixels: frames before and after, and those of the encoder. */
function pixelsHeld(image: SourceImage, wanted: Wanted, frameCount: number): number {
  const made = resizedPixels(image, wanted);
  const isAnimated = frameCount > 1 && wanted.frames === 'all';
  return (image.width * image.height + made) * (isAnimated ? frameCount : 1) + pixelsOfSaving(made, wanted);
}
