import { countFrames } from '@atelier/imaging/codecs/count_frames.ts';
import { IMAGE_PIXELS_MAX } from '@atelier/imaging/codecs/limits.ts';
import { FORMAT_TRAITS, OUTPUT_FORMATS } from '@atelier/imaging/encoders/formats.ts';
import { PAGES_MAX } from '@atelier/imaging/encoders/limits.ts';
import { identifyFile } from '@atelier/imaging/identify/identify_file.ts';
import { z } from 'zod';
import type { SourceImage } from '../../../core/workers/types.ts';
import { briefly } from '../../definitions/brief.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import {
  engineAnswer,
  hexColorField,
  imageAnswer,
  imageField,
  outputField,
} from '../../definitions/fields.ts';
import { pagesField, pagesIn } from '../../definitions/pages_field.ts';
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
  dpiField,
  FORMAT_ALIASES,
  measureField,
  pixelsOfSaving,
  qualityReading,
  savedAnswer,
  savedFormatField,
  savingFields,
  wideColorField,
} from '../../definitions/saving_fields.ts';
import { withAliases, withCoercion } from '../../definitions/spellings.ts';
import { defineTool } from '../../definitions/tool.ts';

const input = z.object({
  image: imageField,
  format: briefly(
    withAliases(
      savedFormatField().describe('pdf and tiff support pages; gif, webp and apng support frames.'),
      ...FORMAT_ALIASES,
      'target_format',
    ),
    '',
  ),
  quality: briefly(
    withCoercion(
      z.int().min(1).max(100).optional().describe('Default: 85 for jpeg and pdf, 82 for webp, 60 for avif.'),
      qualityReading,
    ),
    '',
  ),
  ...savingFields,
  pages: pagesField(
    'Of a PDF, TIFF or animation: 2, 1-3,5 or all. pdf and tiff support several; other formats return a ZIP of images.',
    '2, 1-3,5 or all.',
  ),
  dpi: dpiField(
    'Resolution written into the file, and at which a PDF input is rasterised. Other pixels are unchanged.',
  ),
  color: wideColorField,
  background: briefly(
    withAliases(
      hexColorField
        .optional()
        .describe('Background for transparency if the format has none. Default: white.')
        .meta({ title: 'Background' }),
      ...['background_color', 'bg_color', 'matte'],
    ),
    '',
  ),
  measure: measureField,
  output: outputField,
  ...passthroughFields,
});
type Input = z.output<typeof input>;

export const convertImage = defineTool({
  name: 'convert_image',
  title: 'Convert an image',
  category: 'creative',
  toolset: 'edit',
  summary: 'Save an image in another format, or below a size in bytes; keeps animations.',
  instead: { resize_image: 'for other dimensions' },
  words:
    'convert heic to jpg, convert png to webp, change file format, save as, export as, turn into, transcode, jpg to pdf, image to pdf, picture as pdf, photos into a pdf, make it under 200 kb, below 1 mb, compress to a file size, target file size, maximum size of a file, smaller file same dimensions, too many megabytes, avif, webp, gif to webp, webp to gif, animated gif, animated webp, apng, animation, frames, favicon ico, icon file, tiff pages, multipage, extract a page, first frame, lossless, progressive jpeg, re-encode, recompress, shrink file, format umwandeln, konvertieren, convertir, jfif, tif, in ein pdf, bild als pdf',
  price: FREE,
  input,
  output: z.object({
    ...imageAnswer,
    ...passthroughAnswerFields,
    format: z.enum(OUTPUT_FORMATS),
    ...savedAnswer,
    pages: z.int().min(2).max(PAGES_MAX).optional().describe('Of a document or ZIP.'),
    files: z
      .array(
        z.object({
          name: z.string(),
          page: z.int().min(1),
          width: z.int().min(1),
          height: z.int().min(1),
          result: z.string(),
          result_url: z.string(),
        }),
      )
      .optional()
      .describe('Contents of the ZIP, for several pages in a single-page format.'),
    original_format: z.string(),
    ...qualityAnswer,
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [
    { image: EXAMPLE_PNG_B64, format: 'webp' },
    { image: EXAMPLE_PNG_B64, format: 'jpeg', max_bytes: 200_000, background: '#ffffff', output: 'url' },
    { image: EXAMPLE_PNG_B64, format: 'pdf', dpi: 300, output: 'url' },
  ],
  next: ({ result, format, files }) =>
    format === 'pdf' || format === 'ico' || files
      ? []
      : [
          {
            action: 'Make it smaller or larger',
            tool: 'resize_image',
            why: 'Fits, crops or stretches it to a size in pixels',
            params: { image: result, width: 1200, height: 1200 },
          },
        ],
  async run(
    { image, output, keep, keep_location, ...wanted },
    { pixels, ...services }: PassthroughServices,
    call,
  ) {
    const { format, max_bytes: bytesMax, lossless: isLossless, measure: isMeasured, ...others } = wanted;
    const frameCount = countFrames(image.bytes);
    const { engine, quality, savedQuality, frames, pages, notes, files, ...picture } = await pixels.run(
      'convert',
      {
        ...others,
        bytes: image.bytes,
        format,
        isLossless,
        isMeasured,
        bytesMax,
        frameCount,
        pages: pagesIn(wanted.pages, PAGES_MAX),
        carry: passthroughOf({ keep, keep_location }, { dpi: wanted.dpi }),
      },
      { pixels: pixelsHeld(image, wanted, frameCount), ...call },
    );
    for (const note of notes) call.warn(note);
    const kept = [];
    for (const { bytes, contentType, ...file } of files ?? []) {
      const { handle, url } = await services.results.keep(bytes, contentType);
      kept.push({ ...file, result: handle, result_url: url });
    }
    return {
      ...(await passthroughAnswer(
        { pixels, ...services },
        picture,
        { image, action: 'c2pa.converted', showsTheSame: true, output, bytesMax },
        call,
      )),
      format,
      saved_quality: savedQuality,
      frames,
      pages,
      ...(files && { files: kept }),
      original_format: image.format,
      quality,
      engine,
      degraded: false,
    };
  },
});

/**
 * Peak pixels in memory: decoded frames, those of the encoder, and those written several times. Pages after the first, and pages of a
 * PDF drawn at another resolution, may be larger than the file header states.
 */
function pixelsHeld(
  image: SourceImage,
  wanted: Pick<Input, 'format' | 'lossless' | 'frames' | 'pages' | 'max_bytes' | 'dpi'>,
  frameCount: number,
): number {
  const { frames, pages, dpi, format } = wanted;
  const isPaged = pages !== undefined || (FORMAT_TRAITS[format].hasPages && mayHavePages(image));
  const isDrawn = image.format === 'pdf' && dpi !== undefined;
  const own = isPaged || isDrawn ? IMAGE_PIXELS_MAX : image.width * image.height;
  const isAnimated = frameCount > 1 && frames === 'all' && pages === undefined;
  return (isAnimated ? 3 * own * frameCount : own) + pixelsOfSaving(own, wanted);
}

/** Whether a file may have several pages. The pages of a PDF are unknown before it is opened. */
const mayHavePages = ({ format, bytes }: SourceImage): boolean =>
  format === 'pdf' ||
  format === 'heic' ||
  (format === 'tiff' && identifyFile('tiff', bytes).pages !== undefined);
