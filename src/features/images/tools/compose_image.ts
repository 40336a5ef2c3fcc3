import type { LayerFacts } from '@atelier/imaging/composer/drawer.ts';
import { impose, SHEETS, type SheetName } from '@atelier/imaging/composer/impose.ts';
import { allLayers, isVectorFormat, type Layer } from '@atelier/imaging/composer/layers.ts';
import {
  GROUP_DEPTH_MAX,
  LAYER_IMAGES_PIXELS_MAX,
  LAYER_OPERATIONS_MAX,
  LAYERS_MAX,
} from '@atelier/imaging/composer/limits.ts';
import { estimateCanvas, heldByCanvas } from '@atelier/imaging/editor/estimate_canvas.ts';
import { CANVAS_PIXELS_MAX, CANVAS_SIDE_PX_MAX } from '@atelier/imaging/editor/limits.ts';
import { OUTPUT_FORMATS } from '@atelier/imaging/encoders/formats.ts';
import type { Size } from '@atelier/imaging/pixels/plane.ts';
import { MM_PER_INCH } from '@atelier/imaging/print/plan_sheet.ts';
import { z } from 'zod';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import type { SourceImage } from '../../../core/workers/types.ts';
import { briefly, shownAs } from '../../definitions/brief.ts';
import {
  fieldsOfLayer,
  layerField,
  layoutField,
  maskSchema,
  type SentLayer,
} from '../../definitions/edit_operations/layer_fields.ts';
import { color } from '../../definitions/edit_operations/operation_fields.ts';
import {
  indexImages,
  requireKnown,
  scaleOperation,
  scalePath,
} from '../../definitions/edit_operations/prepare_operations.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { engineAnswer, imageAnswer, nestedImageField, outputField } from '../../definitions/fields.ts';
import { ImageText, isSourceImage } from '../../definitions/images_in.ts';
import {
  componentsOf,
  type IngredientFacts,
  ingredientsAnswer,
  ingredientsOf,
} from '../../definitions/ingredients_answer.ts';
import { pictureAnswer } from '../../definitions/passthrough_answer.ts';
import { PREVIEW_QUALITY, scaleLengths } from '../../definitions/preview.ts';
import { FREE } from '../../definitions/price.ts';
import {
  FORMAT_ALIASES,
  inFormatWords,
  pixelsOfSaving,
  qualityField,
  savedAnswer,
  savingFields,
} from '../../definitions/saving_fields.ts';
import {
  enumSynonyms,
  inMillimetres,
  inUnit,
  withAliases,
  withCoercion,
  withDerivation,
} from '../../definitions/spellings.ts';
import { type CallContext, defineTool } from '../../definitions/tool.ts';
import { SAVED_DPI_MAX, SAVED_DPI_MIN } from '../../definitions/tool_limits.ts';
import type { PressProfileFile } from '../../print/profiles/types.ts';
import type { Services } from '../../services.ts';
import { DOCUMENTS_MAX, DOCUMENTS_PIXELS_MAX, VALUE_CHARACTERS_MAX } from '../limits.ts';
import { appliedOf } from './applied_answer.ts';
import { fillLayers, placeholderOf, type Row, requireNames } from './fill_documents.ts';
import { findForLayers, searchingOnce } from './find_for_operations.ts';

const PX_DPI_DEFAULT = 96;
const MM_DPI_DEFAULT = 300;
/** Maximum side in px or mm; the pixels of the canvas are limited separately. */
const CANVAS_MAX = 32_768;
const BLEED_MM_MAX = 50;
const PROFILE_NAME_CHARACTERS_MAX = 60;
/** Raster formats, and those that preserve outlines and text. */
const FORMATS = [...OUTPUT_FORMATS, 'svg'] as const;

/** Coerces sides with a unit: {width: "85mm", height: "55mm"} to {width: 85, height: 55, unit: "mm"}. */
function readCanvas(sent: unknown): { canvas: object } | undefined {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return undefined;
  const { width, height } = sent as Record<string, unknown>;
  const read = (reading: (side: unknown) => unknown) => [reading(width), reading(height)];
  const [across, down] = read(inMillimetres);
  if (across !== undefined && down !== undefined)
    return { canvas: { ...sent, width: across, height: down, unit: 'mm' } };
  const [columns, rows] = read(inUnit('px'));
  if (columns === undefined && rows === undefined) return undefined;
  return { canvas: { ...sent, width: columns ?? width, height: rows ?? height } };
}

const canvasField = withAliases(
  withDerivation(
    shownAs(
      z.object({
        width: z.number().min(1).max(CANVAS_MAX),
        height: z.number().min(1).max(CANVAS_MAX),
        unit: z.enum(['px', 'mm']).default('px'),
        dpi: z
          .int()
          .min(SAVED_DPI_MIN)
          .max(SAVED_DPI_MAX)
          .optional()
          .describe(`Default: ${PX_DPI_DEFAULT}, and ${MM_DPI_DEFAULT} for mm.`),
        background: withAliases(
          color().default('white').describe('CSS colour, or transparent.'),
          'color',
          'fill',
        ),
        bleed_mm: withAliases(
          z.number().min(0).max(BLEED_MM_MAX).optional().describe('Of a pdf, around the canvas.'),
          'bleed',
        ),
      }),
      { type: 'object', description: '{width, height, unit px|mm, dpi, background, bleed_mm}' },
    ),
    readCanvas,
  ),
  ...['size', 'page', 'artboard', 'document'],
);

/** Compact schema that suffices for most calls; errors and get_tool_schema have the details. */
const IN_SHORT = [
  'First is lowest. {type, box {x,y,width,height} or gravity (centre, north…) + margin, width, height; opacity, blend, rotate, mask {shape|image}, operations (edit_image)} and',
  'image: image, fit contain|cover|fill, radius;',
  'text: text, font, weight, size (absent: fits), color, align, valign, stroke {color,width}, shadow;',
  'shape: shape rect|ellipse|line|arrow|polygon|path, fill, stroke, points, path;',
  'qr: text, width; group: layers, layout.',
  'px, "12%", "5mm".',
].join(' ');

const layersField = withAliases(
  shownAs(z.array(layerField).min(1).max(LAYERS_MAX), {
    type: 'array',
    items: { type: 'object' },
    description: IN_SHORT,
  }),
  ...['elements', 'items', 'objects', 'children'],
);

/** A handle as the value of a document is an image; a URL may also be text. */
const handleValue = z
  .string()
  .regex(/^(?:upload|asset|result|artwork):\S{1,500}$/)
  .transform((text) => ({ image: new ImageText(text) as unknown as SourceImage }));

const dataField = withAliases(
  shownAs(
    z
      .array(
        z.record(
          z.string().max(100),
          z.union(
            [
              handleValue,
              z.string().max(VALUE_CHARACTERS_MAX),
              z.number(),
              z.object({ image: nestedImageField }),
              z.null(),
            ],
            'must be text, a number, a handle, {image} for an image by URL, or null for none',
          ),
        ),
      )
      .min(1)
      .max(DOCUMENTS_MAX)
      .optional()
      .describe(
        'One document per entry: {{name}} in texts, and as image of a layer, is replaced by its value: text, a handle, or {"image": "https://…"}.',
      ),
    { type: 'array', items: { type: 'object' }, description: 'Documents; fills {{name}}.' },
  ),
  ...['rows', 'records', 'variables', 'values', 'documents'],
);

const SHEET_NAMES = Object.keys(SHEETS) as [SheetName, ...SheetName[]];

const sheetField = withAliases(
  briefly(
    withCoercion(
      z
        .enum(SHEET_NAMES)
        .optional()
        .describe(
          'Places the documents of data, or copies of one document, edge to edge on paper with cut marks: one pdf, or an image of one sheet.',
        ),
      enumSynonyms({
        dina3: 'a3',
        dina4: 'a4',
        dina5: 'a5',
        usletter: 'letter',
        a4paper: 'a4',
        a4page: 'a4',
      }),
    ),
    'Paper for data, or copies.',
  ),
  ...['paper', 'paper_size', 'page_size', 'sheet_size', 'page_format', 'print_sheet', 'impose', 'per_page'],
);

const boxAnswer = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

export const composeImage = defineTool({
  name: 'compose_image',
  title: 'Compose an image of layers',
  category: 'creative',
  summary:
    'Place images, text of any script, shapes and QR codes on a canvas in px or mm: posters, cards, collages.',
  instead: { edit_image: 'to change one image', mockup_image: 'for products' },
  words:
    'compose, collage, photo grid, contact sheet, mosaic, moodboard, put images side by side, before and after, combine pictures, merge photos into one, add text, write on a picture, caption, title, headline, quote, meme, poster, flyer, banner, thumbnail, social media post, story, instagram, youtube thumbnail, business card, name tag, price tag, label, certificate, invitation, greeting card, cover, add a logo, stamp, badge, sticker, qr code, make a qr code, arrow, annotate, circle, rectangle, line, draw a shape, layers, blend mode, multiply, overlay, template, typography, font, arabic text, hebrew, chinese, japanese, emoji, multilingual, infographic, comparison, grid of pictures, numbered, text auf bild, collage erstellen, plakat, visitenkarte, texte sur image, affiche, montage photo',
  price: FREE,
  input: z.object({
    canvas: canvasField,
    layers: layersField,
    layout: shownAs(layoutField.optional().describe('Positions layers that have neither box nor gravity.'), {
      type: 'object',
      description:
        'For layers without position: {type grid|row|column|masonry, columns, gap, captions, numbers}.',
    }),
    format: briefly(
      withAliases(
        withCoercion(z.enum(FORMATS), inFormatWords)
          .default('png')
          .describe('pdf has live text, svg outlines.'),
        ...FORMAT_ALIASES,
      ),
      '',
    ),
    quality: qualityField,
    lossless: savingFields.lossless,
    max_bytes: savingFields.max_bytes,
    profile: withAliases(
      briefly(
        z
          .string()
          .min(1)
          .max(PROFILE_NAME_CHARACTERS_MAX)
          .optional()
          .describe(
            'Printing condition of a pdf, as in print_ready: converts colours to CMYK. Default: sRGB.',
          ),
        '',
      ),
      ...['press', 'press_profile', 'icc_profile', 'color_profile', 'output_profile'],
    ),
    data: dataField,
    sheet: sheetField,
    output: outputField,
  }),
  output: z.object({
    ...imageAnswer,
    ...ingredientsAnswer,
    format: z.enum(FORMATS),
    saved_quality: savedAnswer.saved_quality,
    profile_name: z.string().optional().describe('For a CMYK pdf: name of its profile.'),
    dpi: z.int().min(1).max(SAVED_DPI_MAX),
    pages: z.int().min(1).max(DOCUMENTS_MAX).optional().describe('Of a pdf or sheet.'),
    layers: z
      .array(
        z.object({
          layer: z.string(),
          type: z.string(),
          name: z.string().optional(),
          caption: z.string().optional(),
          box: boxAnswer,
          size: z.number().optional().describe('Of text, px.'),
          lines: z.array(z.string()).optional(),
          fonts: z.array(z.string()).optional(),
          missing_glyphs: z.array(z.string()).optional(),
          applied: z.array(z.looseObject({ op: z.string() })).optional(),
        }),
      )
      .describe('Position of each layer, in px of the canvas or of its group; text layout.'),
    files: z
      .array(
        z.object({
          name: z.string(),
          bytes: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
          result: z.string(),
          result_url: z.string(),
        }),
      )
      .optional()
      .describe('All documents of data; other fields describe the first.'),
    zip: z.string().optional(),
    zip_url: z.string().optional(),
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [
    {
      canvas: { width: 400, height: 300, background: '#f4f1ea' },
      layers: [
        { type: 'image', image: EXAMPLE_PNG_B64, box: { x: 20, y: 20, width: 160, height: 160 }, radius: 12 },
        { type: 'text', text: 'Summer sale', font: 'serif', weight: 700, gravity: 'south', margin: 24 },
        { type: 'qr', text: 'https://example.com', gravity: 'northeast', margin: 20, width: 120 },
      ],
    },
    {
      canvas: { width: 90, height: 50, unit: 'mm', dpi: 150 },
      layers: [
        { type: 'image', image: EXAMPLE_PNG_B64, name: 'First' },
        { type: 'image', image: EXAMPLE_PNG_B64, name: 'Second' },
      ],
      layout: { type: 'grid', columns: 2, captions: true },
      format: 'jpeg',
      output: 'url',
    },
  ],
  next: ({ result, format }) =>
    format === 'pdf' || format === 'svg' || format === 'ico'
      ? []
      : [
          {
            action: 'Make a print file of it',
            tool: 'print_ready',
            why: 'Adds bleed and marks and converts it to the inks of a printing press',
            params: { image: result },
          },
        ],
  preview: {
    canvasPixels({ canvas }) {
      const { width, height } = canvasSize(canvas);
      return width * height;
    },
    scaled(
      { canvas, layers, layout, data, lossless: _, max_bytes: __, profile: ___, sheet: ____, ...input },
      scale,
    ) {
      const { width, height, dpi, background } = canvasSize(canvas);
      const by = { scale, dpi };
      return {
        ...input,
        data: data?.slice(0, 1),
        canvas: {
          width: Math.max(1, width * scale),
          height: Math.max(1, height * scale),
          unit: 'px' as const,
          dpi: Math.max(1, Math.round(dpi * scale)),
          background,
        },
        layers: layers.map((layer) => scaledLayer(layer, by) as typeof layer),
        layout: layout && scaleLengths(layoutField, layout, by),
        format: 'webp' as const,
        quality: PREVIEW_QUALITY,
      };
    },
  },
  async run({ output, data, profile, sheet, ...input }, services: ComposeServices, call) {
    refuseFields({ ...input, profile, sheet });
    const press = profile === undefined ? undefined : await services.pressProfiles.find(profile, 'profile');
    const warned = { ...call, warn: onceEach(call.warn) };
    const sent = input.layers as readonly SentLayer[];
    const rows = data as readonly Row[] | undefined;
    const search = searchingOnce(services.pixels);
    const draw = (document: Pick<DocumentInput, 'layers' | 'sheets'>) =>
      drawDocument({ ...input, ...document, press, search }, services, warned);
    const { first, ...all } =
      sheet !== undefined
        ? { first: await draw({ layers: [], sheets: sheetsOf(sent, { rows, sheet, input }, warned) }) }
        : rows
          ? await drawAll(sent, { rows, input, draw }, services, warned)
          : { first: await draw({ layers: sent }) };
    const { made, ingredients, facts, savedQuality, profileName, dpi, pages, engine, degradation } = first;
    return {
      ...(await pictureAnswer(services.results, made, { output, warn: warned.warn })),
      ...ingredientsOf(ingredients),
      format: input.format,
      saved_quality: savedQuality,
      profile_name: profileName,
      dpi,
      pages,
      layers: facts.map(answerOf),
      ...all,
      engine,
      ...degradation,
    };
  },
});

/** Removes duplicate warnings, which most documents of a list share. */
function onceEach(warn: (message: string) => void): (message: string) => void {
  const said = new Set<string>();
  return (message) => {
    if (said.has(message) || said.size >= WARNINGS_MAX) return;
    said.add(message);
    warn(message);
  };
}
const WARNINGS_MAX = 100;

interface Filling {
  readonly rows: readonly Row[];
  readonly input: Pick<DocumentInput, 'canvas' | 'format'>;
  readonly draw: (document: Pick<DocumentInput, 'layers'>) => Promise<DrawnDocument>;
}

/** Draws a document per row, stored separately and in a ZIP. @throws AtelierError invalid_input where a row lacks a name */
async function drawAll(
  layers: readonly SentLayer[],
  { rows, input: { canvas, format }, draw }: Filling,
  { results, zips }: ComposeServices,
  call: CallContext,
) {
  const fill = fillerOf(layers, rows, call);
  const { width, height } = canvasSize(canvas);
  if (width * height * rows.length > DOCUMENTS_PIXELS_MAX)
    throw invalidField(
      'data',
      `data has ${rows.length} documents of ${((width * height) / 1e6).toFixed(1)} megapixels. The limit is ${DOCUMENTS_PIXELS_MAX / 1e6} megapixels per call. Send fewer, or lower dpi.`,
    );
  const files: { name: string; bytes: number; result: string; result_url: string }[] = [];
  let first: DrawnDocument | undefined;
  async function* drawn() {
    for (const [at, row] of rows.entries()) {
      call.signal.throwIfAborted();
      const document = await draw({ layers: fill(row, at) }).catch((error: unknown) => {
        if (error instanceof AtelierError) error.message = `data.${at}: ${error.message}`;
        throw error;
      });
      first ??= document;
      const { bytes, contentType } = document.made;
      const name = `${String(at + 1).padStart(3, '0')}.${format === 'jpeg' ? 'jpg' : format}`;
      const { handle, url } = await results.keep(bytes, contentType, { fileName: name });
      files.push({ name, bytes: bytes.length, result: handle, result_url: url });
      yield { name, bytes };
    }
  }
  const zip = await results.make('application/zip', (path) => zips.write(path, drawn()), 'documents.zip');
  return { first: first!, files, zip: zip.handle, zip_url: zip.url };
}

/** Fills the layers for a row. @throws AtelierError invalid_input where a row lacks a name, before anything is drawn */
function fillerOf(layers: readonly SentLayer[], rows: readonly Row[], call: Pick<CallContext, 'warn'>) {
  const { unused } = requireNames(layers, rows);
  if (unused.length > 0)
    call.warn(`data: ${unused.slice(0, 20).join(', ')} is not used. Layers use it as {{name}}.`);
  return (row: Row, at: number): SentLayer[] => {
    const { filled, empty } = fillLayers(layers, row);
    for (const name of empty)
      call.warn(`data.${at}: ${JSON.stringify(name)} is empty; the layer of this image was left out.`);
    return filled;
  };
}

interface OnSheets {
  readonly rows: readonly Row[] | undefined;
  readonly sheet: SheetName;
  readonly input: Pick<DocumentInput, 'canvas' | 'format'>;
}

/** The documents of the rows, or copies to fill a sheet. @throws AtelierError invalid_input */
function sheetsOf(
  layers: readonly SentLayer[],
  { rows, sheet, input: { canvas, format } }: OnSheets,
  call: Pick<CallContext, 'warn'>,
): SentSheets {
  const { width, height, dpi } = canvasSize(canvas);
  const plan = impose({ width, height }, sheet, dpi);
  if (!plan)
    throw invalidField(
      'sheet',
      `The canvas is larger than ${sheet} without its margins. Send a smaller canvas, or omit sheet.`,
    );
  const { cells } = plan;
  if (format !== 'pdf' && rows && rows.length > cells.length)
    throw invalidField(
      'sheet',
      `${rows.length} documents need ${Math.ceil(rows.length / cells.length)} sheets. ${format} supports one sheet of ${cells.length}. Send format "pdf".`,
    );
  requireCanvas(plan.sheet, `sheet ${sheet}`, 'dpi of the canvas');
  if (!rows) return { plan, documents: cells.map(() => ({ path: 'layers', layers })) };
  const fill = fillerOf(layers, rows, call);
  return { plan, documents: rows.map((row, at) => ({ path: `data.${at}.layers`, layers: fill(row, at) })) };
}

interface SentSheets {
  readonly plan: NonNullable<ReturnType<typeof impose>>;
  /** Copies have the same path. */
  readonly documents: readonly { readonly path: string; readonly layers: readonly SentLayer[] }[];
}

interface DocumentInput {
  readonly canvas: z.output<typeof canvasField>;
  readonly layers: readonly SentLayer[];
  /** Instead of layers. */
  readonly sheets?: SentSheets | undefined;
  readonly layout?: z.output<typeof layoutField> | undefined;
  readonly format: (typeof FORMATS)[number];
  readonly quality?: number | undefined;
  readonly lossless?: boolean | undefined;
  readonly max_bytes?: number | undefined;
  readonly press?: PressProfileFile | undefined;
  readonly search: ReturnType<typeof searchingOnce>;
}

type DrawnDocument = Awaited<ReturnType<typeof drawDocument>>;

/** Draws one document or its sheets, with a manifest where the images have one. */
async function drawDocument(
  { canvas, layers: sent, sheets: sentSheets, layout, press, search, ...saving }: DocumentInput,
  services: ComposeServices,
  call: CallContext,
) {
  const { format, quality, lossless, max_bytes: bytesMax } = saving;
  const images: Record<string, SourceImage> = {};
  const layers = readLayers(sent, { path: 'layers', depth: 0, images, call });
  const sheets = sentSheets && readSheets(sentSheets, { images, call });
  const size = canvasSize(canvas);
  const all = sheets ? sheets.documents.flatMap((document) => document.layers) : layers;
  if (!isVectorFormat(format) && allLayers(all).some((layer) => layer.link_to !== undefined))
    call.warn(`link_to was ignored: ${format} does not support links. Send format "pdf" or "svg".`);
  const held = { size: sheets?.plan.sheet ?? size, layers: all, images };
  const pixels = pixelsHeld(held, { format, lossless, max_bytes: bytesMax });
  const { files, degradation, ...found } = await findForLayers(
    all,
    images,
    { ...services, pixels: search },
    call,
  );
  const {
    layers: drawn,
    notes,
    engine,
    savedQuality,
    ingredients,
    pages,
    profile: profileName,
    ...made
  } = await services.pixels.run(
    'compose',
    {
      canvas: size,
      layers,
      sheets,
      layout,
      format,
      quality: quality ?? (lossless ? undefined : QUALITIES[format]),
      isLossless: lossless,
      bytesMax,
      images: files,
      ...found,
      press,
    },
    { pixels, ...call },
  );
  for (const note of notes) call.warn(note);
  warnOfLayers(drawn, format, call);
  const bytes = await signedComposition({ made, ingredients, images, bytesMax }, services, call);
  return {
    made: { ...made, bytes },
    ...{ ingredients, savedQuality, profileName, dpi: size.dpi, engine, degradation },
    facts: factsOfFirst(drawn, sheets?.documents[0]?.path),
    pages: format === 'pdf' || sheets ? (pages ?? 1) : undefined,
  };
}

/** Reads the documents of sheets, and copies only once. */
function readSheets(
  { plan, documents }: SentSheets,
  reading: Pick<Reading, 'images' | 'call'>,
): { plan: SentSheets['plan']; documents: { path: string; layers: Layer[] }[] } {
  const read = new Map<string, Layer[]>();
  return {
    plan,
    documents: documents.map(({ path, layers: sent }) => {
      const layers = read.get(path) ?? readLayers(sent, { path, depth: 0, ...reading });
      read.set(path, layers);
      return { path, layers };
    }),
  };
}

/** Facts of the first document, with the paths of `layers`. */
function factsOfFirst(facts: readonly LayerFacts[], path = 'layers'): readonly LayerFacts[] {
  return facts
    .filter(({ layer }) => layer.startsWith(`${path}.`))
    .map((fact) => ({ ...fact, layer: `layers${fact.layer.slice(path.length)}` }));
}

function warnOfLayers(
  facts: readonly LayerFacts[],
  format: DocumentInput['format'],
  call: Pick<CallContext, 'warn'>,
): void {
  for (const { layer, warnings = [] } of facts)
    for (const warning of warnings) call.warn(`${layer}: ${warning}`);
  if (!isVectorFormat(format)) return;
  for (const { layer, type, applied } of facts)
    if (applied && type !== 'image')
      call.warn(
        `${layer}: rasterised in the ${format} at the dpi of the canvas, because it has operations or a mask.`,
      );
}

function scaledLayer(layer: SentLayer, by: { scale: number; dpi: number }): SentLayer {
  const { layers, path, operations, mask, ...scaled } = scaleLengths(layerField, layer, by) as SentLayer;
  return {
    ...scaled,
    ...(operations && { operations: operations.map((operation) => scaleOperation(operation, by)) }),
    ...(mask && { mask: scaleLengths(maskSchema, mask, by) }),
    ...(layers && { layers: layers.map((inner) => scaledLayer(inner, by)) }),
    ...(typeof path === 'string' && { path: scalePath(path, by.scale) }),
  };
}

type ComposeServices = Pick<
  Services,
  'pixels' | 'results' | 'manifests' | 'zips' | 'models' | 'images' | 'pressProfiles'
>;

interface Composition {
  readonly made: { bytes: Uint8Array; contentType: string; width: number; height: number };
  readonly ingredients: readonly IngredientFacts[];
  readonly images: Readonly<Record<string, SourceImage>>;
  readonly bytesMax: number | undefined;
}

/** Formats in which manifests are written. */
const SIGNED_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/tiff'];

/** Adds a manifest with the images as ingredients, if one of them has a manifest or an AI statement. */
async function signedComposition(
  { made, ingredients, images, bytesMax }: Composition,
  services: ComposeServices,
  call: CallContext,
): Promise<Uint8Array> {
  const { sign } = services.manifests;
  if (!sign || !SIGNED_TYPES.includes(made.contentType)) return made.bytes;
  const components = await componentsOf(ingredients, images, services, call);
  if (components.length === 0) return made.bytes;
  const sourceType = ingredients.some(({ ai }) => ai) ? 'compositeWithTrainedAlgorithmicMedia' : 'composite';
  const { bytes } = await sign(
    {
      bytes: made.bytes,
      type: made.contentType,
      title: 'Untitled',
      components,
      origin: { sourceType },
      actions: [],
    },
    { pixels: made.width * made.height, ...call },
  );
  return bytesMax !== undefined && bytes.length > bytesMax ? made.bytes : bytes;
}

const QUALITIES: Readonly<Record<string, number>> = { jpeg: 90, webp: 90 };

const answerOf = ({ missingGlyphs, warnings: _, applied, ...facts }: LayerFacts) => ({
  ...facts,
  ...(applied && applied.length > 0 && { applied: applied.map((one) => appliedOf(one)) }),
  lines: facts.lines && [...facts.lines],
  fonts: facts.fonts && [...facts.fonts],
  ...(missingGlyphs && missingGlyphs.length > 0 && { missing_glyphs: [...missingGlyphs] }),
});

interface CanvasSize {
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  readonly background: string;
  /** Bleed in px. */
  readonly bleed: number;
}

/** Rejects fields that the format does not support. @throws AtelierError invalid_input */
function refuseFields({
  format,
  canvas: { bleed_mm: bleed },
  max_bytes: bytesMax,
  profile,
  sheet,
}: Pick<DocumentInput, 'format' | 'canvas' | 'max_bytes'> & {
  readonly profile: string | undefined;
  readonly sheet: SheetName | undefined;
}): void {
  if (bleed && sheet !== undefined)
    throw invalidField(
      'canvas.bleed_mm',
      'Documents are placed edge to edge on a sheet, without room for bleed. Omit canvas.bleed_mm or sheet.',
    );
  if (bleed && format !== 'pdf')
    throw invalidField(
      'canvas.bleed_mm',
      `canvas.bleed_mm is for format pdf, not ${format}. Send format "pdf", or make the canvas larger.`,
    );
  if (profile !== undefined && format !== 'pdf')
    throw invalidField(
      'profile',
      `profile is for format pdf, not ${format}. Send format "pdf"; for a CMYK TIFF call print_ready with the result.`,
    );
  if (bytesMax !== undefined && isVectorFormat(format))
    throw invalidField(
      'max_bytes',
      `max_bytes applies to raster formats only: ${format} keeps every image at its size. Omit it, or send a lower quality or smaller images.`,
    );
}

function canvasSize({
  width,
  height,
  unit,
  dpi,
  background,
  bleed_mm: bleed = 0,
}: z.output<typeof canvasField>): CanvasSize {
  const density = dpi ?? (unit === 'mm' ? MM_DPI_DEFAULT : PX_DPI_DEFAULT);
  const scale = unit === 'mm' ? density / MM_PER_INCH : 1;
  const size = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
  requireCanvas(size, 'canvas', unit === 'mm' ? 'dpi' : 'width and height');
  return { ...size, dpi: density, background, bleed: (bleed * density) / MM_PER_INCH };
}

/** Checks the size of the canvas. @throws AtelierError invalid_input */
function requireCanvas({ width, height }: Size, name: string, remedy: string): void {
  if (width <= CANVAS_SIDE_PX_MAX && height <= CANVAS_SIDE_PX_MAX && width * height <= CANVAS_PIXELS_MAX)
    return;
  throw invalidField(
    'canvas',
    `${name} has ${width} × ${height} px. The limit is ${CANVAS_PIXELS_MAX / 1e6} megapixels and ${CANVAS_SIDE_PX_MAX} px per side. Lower ${remedy}.`,
  );
}

interface Reading {
  readonly path: string;
  readonly depth: number;
  /** Output: loaded images by the path of their layer. */
  readonly images: Record<string, SourceImage>;
  readonly call: Pick<CallContext, 'warn'>;
}

/** Layers for the engine. Checks the required fields of each type and reports ignored ones. @throws AtelierError invalid_input */
function readLayers(sent: readonly SentLayer[], reading: Reading): Layer[] {
  const { path, depth } = reading;
  if (depth > GROUP_DEPTH_MAX)
    throw invalidField(path, `${path}: groups may be nested at most ${GROUP_DEPTH_MAX} deep.`);
  const layers = sent.map((layer, at) => readOne(layer, { ...reading, path: `${path}.${at}` }));
  if (depth === 0) refuseMany(layers);
  return layers;
}

/** Checks the number of layers. @throws AtelierError invalid_input */
function refuseMany(layers: readonly Layer[]): void {
  const all = allLayers(layers);
  if (all.length > LAYERS_MAX)
    throw invalidField(
      'layers',
      `layers has ${all.length} layers, including those in groups. The limit is ${LAYERS_MAX}.`,
    );
  const operations = all.reduce((sum, { operations: own = [] }) => sum + own.length, 0);
  if (operations > LAYER_OPERATIONS_MAX)
    throw invalidField(
      'layers',
      `The layers have ${operations} operations in total. The limit is ${LAYER_OPERATIONS_MAX}. Edit images with edit_image first.`,
    );
}

/** Required field of each layer type. */
const REQUIRED: Readonly<Record<Layer['type'], readonly [field: string, form: string]>> = {
  image: ['image', 'https://…, a handle or base64'],
  text: ['text', '"Hello"'],
  shape: ['shape', 'rect, ellipse, line, arrow, polygon or path'],
  qr: ['text', '"https://example.com"'],
  group: ['layers', 'a list of layers'],
};

function readOne(sent: SentLayer, { path, depth, images, call }: Reading): Layer {
  const { type } = sent;
  const [field, form] = REQUIRED[type];
  if (sent[field] === undefined)
    throw invalidField(`${path}.${field}`, `${path}: a layer of type ${type} needs ${field}: ${form}.`);
  const known = fieldsOfLayer(type);
  const others = Object.keys(sent).filter((name) => sent[name] !== undefined && !known.includes(name));
  if (others.length > 0) {
    const names = others.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 40)));
    call.warn(`${path}: ${names.join(', ')} was ignored. Fields of ${type}: ${known.join(', ')}.`);
  }
  const fields = Object.fromEntries(
    known.flatMap((name) => (sent[name] === undefined ? [] : [[name, sent[name]]])),
  );
  if (type === 'image') refusePlaceholder(sent.image, `${path}.image`);
  if (isSourceImage(sent.image)) images[path] = sent.image;
  return {
    ...fields,
    link_to: addressOf(sent.link_to, `${path}.link_to`),
    ...editsOf(sent, { path, images, call }),
    ...(type === 'image' && { image: path, ...(typeof sent.fit === 'boolean' && { fit: undefined }) }),
    ...(type === 'text' && {
      fit: typeof sent.fit === 'boolean' ? sent.fit : undefined,
      ...(typeof sent.background === 'string' && { background: { color: sent.background } }),
    }),
    ...(type === 'qr' && typeof sent.background === 'object' && { background: undefined }),
    ...(type === 'group' && {
      layers: readLayers(sent.layers ?? [], { path: `${path}.layers`, depth: depth + 1, images, call }),
    }),
  } as unknown as Layer;
}

/** URL schemes that cannot run scripts. */
const ADDRESS = /^(?:https?:\/\/|mailto:|tel:)\S+$/;

/** A link target in ASCII, as stored in files. @throws AtelierError invalid_input */
function addressOf(sent: unknown, field: string): string | undefined {
  if (sent === undefined) return undefined;
  const url = URL.parse(String(sent));
  if (url && ADDRESS.test(url.href)) return url.href;
  throw invalidField(field, `${field} must be a URL: https://…, mailto:… or tel:….`);
}

/** Rejects a placeholder without data. @throws AtelierError invalid_input */
function refusePlaceholder(image: unknown, field: string): void {
  const name = placeholderOf(image);
  if (name !== undefined)
    throw invalidField('data', `${field} is {{${name}}}. Send data: [{"${name}": "upload:…"}].`);
}

/** Operations and mask of a layer, with their images by path. */
function editsOf(
  { operations: sent = [], mask }: SentLayer,
  { path, images, call }: Omit<Reading, 'depth'>,
): Pick<Layer, 'operations' | 'mask'> {
  const known = requireKnown(sent, { path: `${path}.operations`, ...call });
  for (const [at, operation] of known.entries())
    if ('image' in operation) refusePlaceholder(operation.image, `${path}.operations.${at}.image`);
  const indexed = indexImages(known, `${path}.operations.`);
  Object.assign(images, indexed.images);
  if (mask) {
    refusePlaceholder(mask.image, `${path}.mask.image`);
    if (mask.image === undefined && mask.shape === undefined)
      throw invalidField(
        `${path}.mask`,
        `${path}.mask needs image or shape: {"shape": "circle"}, or {"image": "upload:…"}.`,
      );
    if (isSourceImage(mask.image)) images[`${path}.mask`] = mask.image;
  }
  return {
    operations: indexed.operations,
    mask: mask && { ...mask, image: mask.image === undefined ? undefined : `${path}.mask` },
  };
}

interface HeldDocument {
  readonly size: Size;
  readonly layers: readonly Layer[];
  readonly images: Readonly<Record<string, SourceImage>>;
}

/** Peak pixels: canvas, one layer, the largest decoded image and the largest edited one. Images are decoded in sequence. */
function pixelsHeld(
  { size: { width, height }, layers, images }: HeldDocument,
  {
    format,
    ...saving
  }: Omit<Parameters<typeof pixelsOfSaving>[1], 'format'> & {
    format: (typeof FORMATS)[number];
  },
): number {
  const sizes = [...new Set(Object.values(images))].map((image) => image.width * image.height);
  const all = sizes.reduce((sum, pixels) => sum + pixels, 0);
  if (all > LAYER_IMAGES_PIXELS_MAX)
    throw invalidField(
      'layers',
      `The images of the layers have ${Math.ceil(all / 1e6)} million pixels in total. The limit is ${LAYER_IMAGES_PIXELS_MAX / 1e6} million. Send smaller images.`,
    );
  const pixels = width * height;
  const edited = allLayers(layers).map(({ operations = [], mask, ...layer }) => {
    if (operations.length === 0 && !mask) return 0;
    const own = layer.type === 'image' ? images[layer.image] : undefined;
    return heldByCanvas(estimateCanvas(own ?? { width, height }, operations).largest);
  });
  return Math.ceil(
    4 * pixels +
      3 * Math.max(0, ...sizes) +
      Math.max(0, ...edited) +
      pixelsOfSaving(pixels, { ...saving, format: format === 'svg' ? 'pdf' : format }),
  );
}
