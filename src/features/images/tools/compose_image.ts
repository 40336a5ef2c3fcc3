import type { LayerFacts } from '@atelier/imaging/composer/drawer.ts';
import type { Layer } from '@atelier/imaging/composer/layers.ts';
import { GROUP_DEPTH_MAX, LAYER_IMAGES_PIXELS_MAX, LAYERS_MAX } from '@atelier/imaging/composer/limits.ts';
import { CANVAS_PIXELS_MAX, CANVAS_SIDE_PX_MAX } from '@atelier/imaging/editor/limits.ts';
import { OUTPUT_FORMATS } from '@atelier/imaging/encoders/formats.ts';
import { MM_PER_INCH } from '@atelier/imaging/print/plan_sheet.ts';
import { z } from 'zod';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { SourceImage } from '../../../core/workers/types.ts';
import { briefly, shownAs } from '../../definitions/brief.ts';
import {
  fieldsOfLayer,
  layerField,
  layoutField,
  type SentLayer,
} from '../../definitions/edit_operations/layer_fields.ts';
import { color } from '../../definitions/edit_operations/operation_fields.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { engineAnswer, imageAnswer, outputField } from '../../definitions/fields.ts';
import { isSourceImage } from '../../definitions/images_in.ts';
import { pictureAnswer } from '../../definitions/picture_answer.ts';
import { FREE } from '../../definitions/price.ts';
import {
  FORMAT_ALIASES,
  qualityReading,
  savedAnswer,
  savedFormatField,
  savingFields,
} from '../../definitions/saving_fields.ts';
import { alsoCalled, alsoRead } from '../../definitions/spellings.ts';
import { type CallContext, defineTool } from '../../definitions/tool.ts';
import { SAVED_DPI_MAX, SAVED_DPI_MIN } from '../../definitions/tool_limits.ts';
import type { Services } from '../../services.ts';
import { pixelsOfSaving } from './saved_pixels.ts';

const PX_DPI_DEFAULT = 96;
const MM_DPI_DEFAULT = 300;
/** Of a side, in px or mm; the pixels of the canvas are bounded besides. */
const CANVAS_MAX = 32_768;

const canvasField = alsoCalled(
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
        .describe(`Absent: ${PX_DPI_DEFAULT}, and ${MM_DPI_DEFAULT} for mm.`),
      background: alsoCalled(
        color().default('white').describe('CSS colour, or transparent.'),
        'color',
        'fill',
      ),
    }),
    { type: 'object', description: '{width, height, unit px|mm, dpi, background}' },
  ),
  ...['size', 'page', 'artboard', 'document'],
);

/** What a model needs to write most calls; errors and get_tool_schema say the rest. */
const IN_SHORT = [
  'First is lowest. {type, box {x,y,width,height} or gravity (centre, north…) + margin, width, height; opacity; blend; rotate} and for',
  'image: image (URL, handle, base64), fit contain|cover|fill, radius;',
  'text: text, font, weight, size (absent: fits), color, align, valign, stroke {color,width}, shadow, background {color,padding,radius};',
  'shape: shape rect|ellipse|line|arrow|polygon|path, fill, stroke, points, path;',
  'qr: text, width; group: layers, layout.',
  'Lengths px, "12%", "5mm".',
].join(' ');

const layersField = alsoCalled(
  shownAs(z.array(layerField).min(1).max(LAYERS_MAX), {
    type: 'array',
    items: { type: 'object', properties: { type: { type: 'string' } } },
    description: IN_SHORT,
  }),
  ...['elements', 'items', 'objects', 'children'],
);

const boxAnswer = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

export const composeImage = defineTool({
  name: 'compose_image',
  title: 'Compose an image of layers',
  category: 'creative',
  summary:
    'Lays images, text of any script, shapes and QR codes on a canvas in px or mm: posters, cards, collages, contact sheets, banners.',
  instead: { edit_image: 'to change one image', mockup_image: 'to show a design on a product' },
  words:
    'compose, collage, photo grid, contact sheet, mosaic, moodboard, put images side by side, before and after, combine pictures, merge photos into one, add text, write on a picture, caption, title, headline, quote, meme, poster, flyer, banner, thumbnail, social media post, story, instagram, youtube thumbnail, business card, name tag, price tag, label, certificate, invitation, greeting card, cover, add a logo, stamp, badge, sticker, qr code, make a qr code, arrow, annotate, circle, rectangle, line, draw a shape, layers, blend mode, multiply, overlay, template, typography, font, arabic text, hebrew, chinese, japanese, emoji, multilingual, infographic, comparison, grid of pictures, numbered, text auf bild, collage erstellen, plakat, visitenkarte, texte sur image, affiche, montage photo',
  price: FREE,
  input: z.object({
    canvas: canvasField,
    layers: layersField,
    layout: shownAs(layoutField.optional().describe('Places the layers that have neither box nor gravity.'), {
      type: 'object',
      description:
        'Places layers without box or gravity: {type: grid|row|column|masonry, columns, gap, padding, captions, numbers}.',
    }),
    format: briefly(alsoCalled(savedFormatField().default('png'), ...FORMAT_ALIASES), ''),
    quality: briefly(
      alsoRead(
        z.int().min(1).max(100).optional().describe('Absent: 90 for jpeg and webp, 60 for avif.'),
        qualityReading,
      ),
      '',
    ),
    lossless: savingFields.lossless,
    max_bytes: savingFields.max_bytes,
    output: outputField,
  }),
  output: z.object({
    ...imageAnswer,
    format: z.enum(OUTPUT_FORMATS),
    saved_quality: savedAnswer.saved_quality,
    dpi: z.int().min(1).max(SAVED_DPI_MAX),
    layers: z
      .array(
        z.object({
          layer: z.string(),
          type: z.string(),
          name: z.string().optional(),
          box: boxAnswer,
          size: z.number().optional().describe('Of text, px.'),
          lines: z.array(z.string()).optional(),
          fonts: z.array(z.string()).optional(),
          missing_glyphs: z.array(z.string()).optional(),
        }),
      )
      .describe('Where each layer lies, in px of the canvas or of its group; how text was set.'),
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
    format === 'pdf' || format === 'ico'
      ? []
      : [
          {
            action: 'Make a print file of it',
            tool: 'print_ready',
            why: 'Adds bleed and marks and converts it to the inks of a press',
            params: { image: result },
          },
        ],
  async run(
    { canvas, layers: sent, output, lossless, max_bytes: bytesMax, ...wanted },
    services: ComposeServices,
    call,
  ) {
    const images: Record<string, SourceImage> = {};
    const layers = readLayers(sent as readonly SentLayer[], { path: 'layers', depth: 0, images, call });
    const size = canvasSize(canvas);
    const {
      layers: facts,
      notes,
      engine,
      savedQuality,
      ...made
    } = await services.pixels.run(
      'compose',
      {
        canvas: size,
        layers,
        layout: wanted.layout,
        format: wanted.format,
        quality: wanted.quality ?? (lossless ? undefined : QUALITIES[wanted.format]),
        isLossless: lossless,
        bytesMax,
        images: Object.fromEntries(Object.entries(images).map(([name, { bytes }]) => [name, bytes])),
      },
      { pixels: pixelsHeld(size, images, { ...wanted, lossless, max_bytes: bytesMax }), ...call },
    );
    for (const note of notes) call.warn(note);
    for (const { layer, warnings = [] } of facts)
      for (const warning of warnings) call.warn(`${layer}: ${warning}`);
    return {
      ...(await pictureAnswer(services.results, made, { output, warn: call.warn })),
      format: wanted.format,
      saved_quality: savedQuality,
      dpi: size.dpi,
      layers: facts.map(answerOf),
      engine,
      degraded: false,
    };
  },
});

type ComposeServices = Pick<Services, 'pixels' | 'results'>;

const QUALITIES: Readonly<Record<string, number>> = { jpeg: 90, webp: 90 };

const answerOf = ({ missingGlyphs, warnings: _, ...facts }: LayerFacts) => ({
  ...facts,
  lines: facts.lines && [...facts.lines],
  fonts: facts.fonts && [...facts.fonts],
  ...(missingGlyphs && missingGlyphs.length > 0 && { missing_glyphs: [...missingGlyphs] }),
});

interface CanvasSize {
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  readonly background: string;
}

function canvasSize({ width, height, unit, dpi, background }: z.output<typeof canvasField>): CanvasSize {
  const density = dpi ?? (unit === 'mm' ? MM_DPI_DEFAULT : PX_DPI_DEFAULT);
  const scale = unit === 'mm' ? density / MM_PER_INCH : 1;
  const size = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
  if (
    size.width > CANVAS_SIDE_PX_MAX ||
    size.height > CANVAS_SIDE_PX_MAX ||
    size.width * size.height > CANVAS_PIXELS_MAX
  )
    throw invalidField(
      'canvas',
      `canvas has ${size.width} × ${size.height} px. The limit is ${CANVAS_PIXELS_MAX / 1e6} megapixels and ${CANVAS_SIDE_PX_MAX} px a side: lower ${unit === 'mm' ? 'dpi' : 'width and height'}.`,
    );
  return { ...size, dpi: density, background };
}

interface Reading {
  readonly path: string;
  readonly depth: number;
  /** Loaded images, by the place of their layer; filled here. */
  readonly images: Record<string, SourceImage>;
  readonly call: Pick<CallContext, 'warn'>;
}

/** Layers as the engine takes them: what their type needs is there, ignored fields are reported. @throws AtelierError invalid_input */
function readLayers(sent: readonly SentLayer[], reading: Reading): Layer[] {
  const { path, depth } = reading;
  if (depth > GROUP_DEPTH_MAX)
    throw invalidField(path, `${path}: groups may lie in each other ${GROUP_DEPTH_MAX} deep.`);
  const layers = sent.map((layer, at) => readOne(layer, { ...reading, path: `${path}.${at}` }));
  if (depth === 0 && countLayers(layers) > LAYERS_MAX)
    throw invalidField(
      'layers',
      `layers has ${countLayers(layers)} layers, those in groups included. The limit is ${LAYERS_MAX}.`,
    );
  return layers;
}

const countLayers = (layers: readonly Layer[]): number =>
  layers.reduce((sum, layer) => sum + 1 + (layer.type === 'group' ? countLayers(layer.layers) : 0), 0);

/** What a layer cannot be without. */
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
  if (isSourceImage(sent.image)) images[path] = sent.image;
  return {
    ...fields,
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

/** The canvas, a layer on it, and the largest image as it is read; images are read one after the other. */
function pixelsHeld(
  { width, height }: CanvasSize,
  images: Readonly<Record<string, SourceImage>>,
  saving: Parameters<typeof pixelsOfSaving>[1],
): number {
  const sizes = Object.values(images).map((image) => image.width * image.height);
  const all = sizes.reduce((sum, pixels) => sum + pixels, 0);
  if (all > LAYER_IMAGES_PIXELS_MAX)
    throw invalidField(
      'layers',
      `The images of the layers have ${Math.ceil(all / 1e6)} million pixels together. The limit is ${LAYER_IMAGES_PIXELS_MAX / 1e6}: send smaller ones.`,
    );
  const pixels = width * height;
  return Math.ceil(4 * pixels + 3 * Math.max(0, ...sizes) + pixelsOfSaving(pixels, saving));
}
