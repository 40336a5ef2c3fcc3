import { countFrames } from '@atelier/imaging/codecs/count_frames.ts';
import { estimateCanvas, heldByCanvas } from '@atelier/imaging/editor/estimate_canvas.ts';
import { LENGTH_DPI_DEFAULT, OPERATIONS_MAX } from '@atelier/imaging/editor/limits.ts';
import type { Operation } from '@atelier/imaging/editor/operations.ts';
import { FORMAT_TRAITS, OUTPUT_FORMATS, type OutputFormat } from '@atelier/imaging/encoders/formats.ts';
import { WHOLE_PICTURE_PIXELS_MAX } from '@atelier/imaging/encoders/limits.ts';
import type { ManifestAction } from '@atelier/imaging/provenance/c2pa/prepare_manifest.ts';
import { z } from 'zod';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { SourceImage } from '../../../core/workers/types.ts';
import { briefly, shownAs } from '../../definitions/brief.ts';
import { operationSchema, type SentOperation } from '../../definitions/edit_operations/operation_fields.ts';
import {
  indexImages,
  requireKnown,
  scaleOperation,
} from '../../definitions/edit_operations/prepare_operations.ts';
import { IMAGE_HANDLE, readOperations } from '../../definitions/edit_operations/read_operations.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { engineAnswer, imageAnswer, imageField, outputField } from '../../definitions/fields.ts';
import { componentsOf, ingredientsAnswer, ingredientsOf } from '../../definitions/ingredients_answer.ts';
import {
  type PassthroughServices,
  passthroughAnswer,
  passthroughAnswerFields,
  passthroughFields,
  passthroughOf,
} from '../../definitions/passthrough_answer.ts';
import { PREVIEW_QUALITY } from '../../definitions/preview.ts';
import { FREE } from '../../definitions/price.ts';
import { qualityAnswer } from '../../definitions/quality_answer.ts';
import {
  dpiField,
  FORMAT_ALIASES,
  measureField,
  pixelsOfSaving,
  qualityField,
  savedAnswer,
  savedFormatField,
  savingFields,
  wideColorField,
} from '../../definitions/saving_fields.ts';
import { withAliases } from '../../definitions/spellings.ts';
import { defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { appliedField, appliedOf } from './applied_answer.ts';
import { cubesOf, findForOperations } from './find_for_operations.ts';

/** Compact schema that suffices for most calls; errors and get_tool_schema have the details. */
const IN_SHORT = [
  'In order. op, main fields:',
  'crop {box|aspect|width,height, gravity: centre|north…|subject|faces}; trim; rotate {degrees}; straighten; flip {axis}; resize {width,height, fit: inside|cover|contain|fill}; pad {aspect|top…, background}; border {width,color}; round {radius}; shadow; background {color|gradient|image|blur, remove};',
  'adjust {exposure, contrast, saturation, temperature … −1–1, auto}; curve; tone {style: grayscale|sepia|duotone|invert…}; lut; sharpen; denoise; blur, pixelate, redact {where: boxes|faces|text|background, amount};',
  'overlay {image, gravity, width, opacity, blend}; text {text, gravity|box, size, font, color}; shape {type: rect|ellipse|line|arrow, box|points, fill, stroke}; qr {text}; mask; opacity; flatten; perspective {corners}; ai_label.',
  'Lengths px, "12%", "5mm". Box {x,y,width,height}.',
].join(' ');

const operationsField = withAliases(
  shownAs(
    z.preprocess(
      readOperations,
      z
        .array(operationSchema)
        .min(1, 'must name at least one operation: [{"op": "rotate", "degrees": 90}]')
        .max(OPERATIONS_MAX, `must be at most ${OPERATIONS_MAX} operations`),
    ),
    {
      type: 'array',
      items: { type: 'object', properties: { op: { type: 'string' } } },
      description: IN_SHORT,
    },
  ),
  ...['operation', 'ops', 'edits', 'steps', 'actions', 'transformations', 'transforms', 'history'],
);

const input = z.object({
  image: imageField,
  operations: operationsField,
  format: briefly(
    withAliases(
      savedFormatField()
        .optional()
        .describe('Default: the format sent, or png if the result is transparent and that format is not.'),
      ...FORMAT_ALIASES,
    ),
    '',
  ),
  quality: qualityField,
  ...savingFields,
  dpi: dpiField('Resolution for mm, written into the file. Default: that of the file, else 300.'),
  color: wideColorField,
  measure: measureField,
  output: outputField,
  ...passthroughFields,
});
type Input = z.output<typeof input>;
type EditServices = PassthroughServices & Pick<Services, 'images' | 'models' | 'results'>;

export const editImage = defineTool({
  name: 'edit_image',
  title: 'Edit an image',
  category: 'creative',
  summary:
    'Crop, rotate, resize, pad, adjust, blur, redact and overlay an image: a list of operations; keeps animations.',
  instead: { remove_background: 'for cutouts', upscale_image: 'to gain detail' },
  words:
    'edit a picture, photo editor, crop, crop a part, square crop, crop to 16:9, crop to the face, trim white borders, remove margins, rotate, turn by 90 degrees, flip, mirror, straighten the horizon, deskew, perspective correction, scan of a document, pad, letterbox, extend the canvas, white frame, border, passe-partout, round corners, circle avatar, drop shadow, background colour, gradient background, blur the background, brightness, brighten, darken, exposure, contrast, saturation, colours, warmer, cooler, white balance, vibrance, highlights and shadows, levels, curves, gamma, auto enhance, black and white, grayscale, sepia, duotone, invert, negative, threshold, posterize, lut, colour grading, sharpen, denoise, remove noise, grain, blur, pixelate, censor, blur faces, hide licence plate, redact text, black bar, overlay, add a logo, logo in the corner, put one image on another, composite, blend, multiply, transparency, opacity, mask, flatten, ai label, add text, caption, title, write on a picture, meme, draw a rectangle, arrow, circle, line, annotate, qr code on a picture, photo filter, bild bearbeiten, zuschneiden, drehen, spiegeln, aufhellen, weichzeichnen, schwärzen, recadrer, pivoter, recortar',
  price: FREE,
  input,
  output: z.object({
    ...imageAnswer,
    ...passthroughAnswerFields,
    ...ingredientsAnswer,
    format: z.enum(OUTPUT_FORMATS),
    ...savedAnswer,
    applied: appliedField,
    history: z
      .array(z.looseObject({ op: z.string() }))
      .describe('The operations with every default; send them again with the original.'),
    original_width: imageAnswer.width.describe('As stored in the file sent, before orientation is applied.'),
    original_height: imageAnswer.height,
    ...qualityAnswer,
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [
    {
      image: EXAMPLE_PNG_B64,
      operations: [
        { op: 'crop', aspect: '1:1' },
        { op: 'round', radius: '50%' },
      ],
    },
    {
      image: EXAMPLE_PNG_B64,
      operations: [
        { op: 'rotate', degrees: 90 },
        { op: 'adjust', exposure: 0.5, saturation: 0.2 },
        { op: 'border', width: '4%', color: 'white' },
      ],
      format: 'jpeg',
      output: 'url',
    },
  ],
  next: ({ result, format }) =>
    format === 'pdf' || format === 'ico'
      ? []
      : [
          {
            action: 'Save it in another format',
            tool: 'convert_image',
            why: 'Writes WebP or AVIF, or limits the size in bytes',
            params: { image: result, format: 'webp' },
          },
        ],
  preview: {
    scaled({ max_bytes: _, lossless: __, dpi = LENGTH_DPI_DEFAULT, ...input }, scale) {
      const isOpaque = input.format !== undefined && !FORMAT_TRAITS[input.format].alpha;
      return {
        ...input,
        operations: input.operations.map((operation) => scaleOperation(operation, { scale, dpi })),
        format: isOpaque ? ('jpeg' as const) : ('webp' as const),
        quality: PREVIEW_QUALITY,
        frames: 'first' as const,
        measure: false,
      };
    },
  },
  async run(
    { image, operations: sent, output, keep, keep_location, ...wanted },
    services: EditServices,
    call,
  ) {
    const known = requireKnown(sent, { path: 'operations', ...call });
    refusePlaceholders(known);
    const { operations, images } = indexImages(known);
    const texts = await cubesOf(operations, services, call);
    const frameCount = countFrames(image.bytes);
    const format = wanted.format ?? ownFormat(image, frameCount);
    const carry = passthroughOf({ keep, keep_location }, { dpi: wanted.dpi, shows: 'edited' });
    const isAnimated = frameCount > 1 && wanted.frames === 'all';
    const { bytes, findings, ...degradation } = await findForOperations(
      { image, operations, path: 'operations', carry, isAnimated },
      services,
      call,
    );
    const { max_bytes: bytesMax, lossless: isLossless, measure: isMeasured, ...others } = wanted;
    const { engine, quality, savedQuality, frames, notes, applied, ingredients, ...made } =
      await services.pixels.run(
        'edit',
        {
          ...others,
          bytes,
          operations,
          texts,
          findings,
          format,
          isLossless,
          isMeasured,
          bytesMax,
          frameCount,
          quality: wanted.quality ?? (wanted.lossless ? undefined : QUALITIES[format]),
          mayBePng: wanted.format === undefined,
          images: Object.fromEntries(Object.entries(images).map(([name, { bytes }]) => [name, bytes])),
          carry,
        },
        { pixels: pixelsHeld({ image, images, operations, frameCount }, { ...wanted, format }), ...call },
      );
    for (const note of notes) call.warn(note);
    const components = await componentsOf(ingredients, images, services, call);
    const showsTheSame = operations.every(({ op }) => SHOWS_THE_SAME.has(op));
    return {
      ...(await passthroughAnswer(
        services,
        made,
        { image, action: operations.map(actionOf), showsTheSame, output, bytesMax, components },
        call,
      )),
      ...ingredientsOf(ingredients),
      format: made.format,
      saved_quality: savedQuality,
      frames,
      applied: applied.map((one, at) => appliedOf(one, known[at]!)),
      history: await historyOf(known, sent, services),
      original_width: image.width,
      original_height: image.height,
      quality,
      engine,
      ...degradation,
    };
  },
});

/** Rejects placeholders, which only `data` of compose_image replaces. @throws AtelierError invalid_input */
function refusePlaceholders(operations: readonly SentOperation[]): void {
  for (const [at, operation] of operations.entries())
    if ('image' in operation && typeof operation.image === 'string')
      throw invalidField(
        `operations.${at}.image`,
        `operations.${at}.image is ${operation.image}, a placeholder that works only in compose_image with data. Send a handle, https://… or base64.`,
      );
}

/** Default qualities, high enough for repeated editing. */
const QUALITIES: Partial<Record<OutputFormat, number>> = { jpeg: 90, webp: 90 };

const AS_SENT: Readonly<Record<string, OutputFormat>> = {
  jpeg: 'jpeg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
  tiff: 'tiff',
  avif: 'avif',
  heic: 'jpeg',
  raw: 'jpeg',
};

/** The format of the source image, if it is supported for output. */
function ownFormat({ format, width, height }: SourceImage, frameCount: number): OutputFormat {
  const own = AS_SENT[format] ?? 'png';
  if (own === 'png' && frameCount > 1) return 'apng';
  return own === 'avif' && width * height > WHOLE_PICTURE_PIXELS_MAX ? 'jpeg' : own;
}

interface Held {
  readonly image: SourceImage;
  readonly images: Readonly<Record<string, SourceImage>>;
  readonly operations: readonly Operation[];
  readonly frameCount: number;
}

/** Peak pixels: canvas before and after an operation, other images before and after placement, frames before and after. */
function pixelsHeld(
  { image, images, operations, frameCount }: Held,
  wanted: Parameters<typeof pixelsOfSaving>[1] & { readonly frames: 'all' | 'first' },
): number {
  const { largest, last } = estimateCanvas(image, operations);
  const frames =
    wanted.frames === 'all' && frameCount > 1 ? frameCount * (image.width * image.height + last) : 0;
  const others = Object.values(images).reduce((sum, { width, height }) => sum + 2 * width * height, 0);
  return Math.ceil(heldByCanvas(largest) + frames + others + pixelsOfSaving(last, wanted));
}

/** Operations after which the image still shows the same. */
const SHOWS_THE_SAME = new Set<Operation['op']>([
  ...(['crop', 'trim', 'rotate', 'straighten', 'flip', 'resize', 'pad', 'border', 'round'] as const),
  ...(['shadow', 'background', 'adjust', 'curve', 'sharpen', 'denoise', 'flatten', 'ai_label'] as const),
]);

/** C2PA 2.2, "Actions". Operations without a name there are edits with a description. */
const ACTIONS: Partial<Record<Operation['op'], string>> = {
  crop: 'c2pa.cropped',
  trim: 'c2pa.cropped',
  resize: 'c2pa.resized',
  rotate: 'c2pa.orientation',
  flip: 'c2pa.orientation',
  straighten: 'c2pa.orientation',
  adjust: 'c2pa.color_adjustments',
  curve: 'c2pa.color_adjustments',
  lut: 'c2pa.color_adjustments',
  tone: 'c2pa.color_adjustments',
  blur: 'c2pa.filtered',
  pixelate: 'c2pa.filtered',
  sharpen: 'c2pa.filtered',
  denoise: 'c2pa.filtered',
};

const actionOf = ({ op }: Operation): ManifestAction => ({
  action: ACTIONS[op] ?? 'c2pa.edited',
  description: op,
});

/** Operations in a form that can be sent again: base64 images are stored as results. */
async function historyOf(
  known: readonly SentOperation[],
  sent: Input['operations'],
  { results }: EditServices,
) {
  const history: ({ op: string } & Record<string, unknown>)[] = [];
  for (const [at, operation] of known.entries()) {
    const image = (operation as { image?: unknown }).image as SourceImage | undefined;
    const handle = (sent[at] as Record<string, unknown>)[IMAGE_HANDLE] as string | undefined;
    if (!image) history.push(operation);
    else history.push({ ...operation, image: handle ?? (await kept(image, results)) });
  }
  return history;
}

const kept = async ({ bytes, format }: SourceImage, results: EditServices['results']): Promise<string> =>
  (await results.keep(bytes, `image/${format}`, { durable: false })).handle;
