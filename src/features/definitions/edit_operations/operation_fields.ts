import { parseCssColor } from '@atelier/imaging/color/css_color.ts';
import { QR_LEVELS } from '@atelier/imaging/drawing/draw_qr.ts';
import { SHAPE_TYPES } from '@atelier/imaging/drawing/draw_shape.ts';
import { GRAVITIES, LENGTH_PATTERN } from '@atelier/imaging/editor/lengths.ts';
import { BOXES_MAX } from '@atelier/imaging/editor/limits.ts';
import { BLEND_MODES, FOUND_GRAVITIES, FOUND_PLACES } from '@atelier/imaging/editor/operations.ts';
import { LABEL_CORNERS, LABEL_LANGUAGES, LABEL_STYLES } from '@atelier/imaging/label/label_words.ts';
import { TEXT_CHARACTERS_MAX } from '@atelier/imaging/typography/limits.ts';
import { ALIGNMENTS, VERTICAL_ALIGNMENTS } from '@atelier/imaging/typography/set_text.ts';
import { z } from 'zod';
import { fillableImageField } from '../fields.ts';
import { asLength } from '../preview.ts';

const NUMBER_MAX = 100_000;

/** A number with an error message that names its range. */
export const number = (min: number, max: number) => {
  const error = `must be a number from ${min} to ${max}`;
  return z.number(error).min(min, error).max(max, error);
};
const integer = (min: number, max: number) => {
  const error = `must be an integer from ${min} to ${max}`;
  return z.int(error).min(min, error).max(max, error);
};
/** Validated in code: the pattern would double the size of the schema. */
const isLength = (text: string): boolean => text.length <= 30 && LENGTH_PATTERN.test(text);
const isBounded = (px: number): boolean => Math.abs(px) <= NUMBER_MAX;
const LENGTH = 'must be pixels, or text with a unit: "12%", "5mm"';
export const length = () =>
  asLength(z.union([z.number().refine(isBounded), z.string().refine(isLength, LENGTH)], LENGTH));
/** A non-negative length, such as a width or radius. */
export const extent = () =>
  asLength(
    z.union(
      [
        z.number().min(0).refine(isBounded),
        z.string().refine((text) => isLength(text) && !text.includes('-'), LENGTH),
      ],
      LENGTH,
    ),
  );
const COLOR = 'must be a CSS colour: "white", "#c0ffee", "rgb(0 0 0 / 50%)", "transparent"';
export const color = () =>
  z
    .string(COLOR)
    .max(100)
    .refine((text) => parseCssColor(text) !== undefined, COLOR);
const aspect = () =>
  z
    .union(
      [
        z.number().min(0.001).max(1000),
        z
          .string()
          .max(20)
          .regex(/^\s*[\d.]+\s*([:/x×]\s*[\d.]+\s*)?$/),
      ],
      'must be a ratio: "16:9" or 1.5',
    )
    .describe('"16:9" or 1.5.');
export const box = () =>
  z.object({ x: length(), y: length(), width: extent(), height: extent() }, 'must be {x, y, width, height}');
/** Synonyms of positions, compared by their letters. */
export const GRAVITY_SYNONYMS = {
  center: 'centre',
  middle: 'centre',
  top: 'north',
  bottom: 'south',
  left: 'west',
  right: 'east',
  topleft: 'northwest',
  topright: 'northeast',
  bottomleft: 'southwest',
  bottomright: 'southeast',
  topcenter: 'north',
  bottomcenter: 'south',
} as const;

const gravity = () => z.enum(GRAVITIES).default('centre');
/** An adjustment from −1 to 1; 0 for no change. */
const share = () => number(-1, 1).default(0);
const where = () =>
  z.union(
    [z.enum(['all', ...FOUND_PLACES]), z.array(box()).min(1, 'must have at least one box').max(BOXES_MAX)],
    'must be "all", "faces", "text", "background" or a list of boxes {x, y, width, height}',
  );

const levels = z.object({
  black: number(0, 254).default(0),
  white: number(1, 255).default(255),
  gamma: number(0.1, 10).default(1),
  out_black: number(0, 255).default(0),
  out_white: number(0, 255).default(255),
});
const curvePoints = () =>
  z
    .array(z.array(number(0, 255)).length(2, 'must be [from, to]'))
    .min(2)
    .max(32)
    .describe('[from, to], 0 to 255.');
/** Four corners, clockwise from the upper left. */
export const quad = () =>
  z.array(z.array(length()).length(2, 'must be [x, y]')).length(4, 'must be four points [x, y]');
const gradient = z.object({
  type: z.enum(['linear', 'radial']).default('linear'),
  angle: number(-3600, 3600).default(180).describe('As in CSS: 90 to the right, 180 down.'),
  stops: z
    .array(z.object({ color: color(), at: number(0, 1).optional() }))
    .min(2)
    .max(20),
});

export const maskFields = () => ({
  image: fillableImageField.optional().describe('Its opacity, else its brightness.'),
  shape: z.enum(['circle', 'ellipse', 'rect']).optional(),
  radius: extent().default(0),
  invert: z.boolean().default(false),
  feather: extent().default(0),
});

const drawnShadow = () =>
  z.object({
    x: length().default('0.3%'),
    y: length().default('0.3%'),
    blur: extent().default('0.8%'),
    color: color().default('rgb(0 0 0 / 70%)'),
  });

/** Fields of every operation. Loose: unknown fields cause a warning and are dropped (`knownFields`). */
export const OPERATION_FIELDS = {
  crop: z.looseObject({
    op: z.literal('crop'),
    box: box().optional(),
    aspect: aspect().optional(),
    width: extent().optional(),
    height: extent().optional(),
    gravity: z.enum([...GRAVITIES, ...FOUND_GRAVITIES]).default('centre'),
    padding: extent().default('8%').describe('About what was found.'),
  }),
  trim: z.looseObject({
    op: z.literal('trim'),
    tolerance: number(0, 255).default(10).describe('Levels of 255.'),
    background: color().optional().describe('Default: the colour of the corners.'),
    padding: extent().default(0),
  }),
  rotate: z.looseObject({
    op: z.literal('rotate'),
    degrees: number(-36_000, 36_000).describe('Clockwise.'),
    background: color().default('transparent'),
    expand: z.boolean().default(true),
  }),
  straighten: z.looseObject({ op: z.literal('straighten'), max_degrees: number(0.2, 15).default(5) }),
  flip: z.looseObject({
    op: z.literal('flip'),
    axis: z.enum(['horizontal', 'vertical', 'both']).default('horizontal'),
  }),
  resize: z.looseObject({
    op: z.literal('resize'),
    width: extent().optional(),
    height: extent().optional(),
    scale: number(0.001, 100).optional(),
    fit: z
      .enum(['inside', 'cover', 'fill', 'outside', 'contain'])
      .default('inside')
      .describe('cover crops, contain pads, fill may distort.'),
    enlarge: z
      .boolean()
      .optional()
      .describe('Default: only for a scale, or if fit gives both sides exactly.'),
    gravity: gravity(),
    background: color().default('transparent'),
  }),
  pad: z.looseObject({
    op: z.literal('pad'),
    top: extent().optional(),
    right: extent().optional(),
    bottom: extent().optional(),
    left: extent().optional(),
    aspect: aspect().optional(),
    width: extent().optional(),
    height: extent().optional(),
    gravity: gravity(),
    background: z
      .string()
      .max(100)
      .refine(
        (text) => ['edge', 'mirror', 'blur'].includes(text) || parseCssColor(text) !== undefined,
        `${COLOR}, or edge, mirror, blur`,
      )
      .default('white')
      .describe('A colour, or edge, mirror, blur.'),
  }),
  border: z.looseObject({
    op: z.literal('border'),
    width: extent().default('2%'),
    color: color().default('black'),
    inside: z.boolean().default(false),
  }),
  round: z.looseObject({
    op: z.literal('round'),
    radius: extent().default('10%').describe('"50%" of a square is a circle.'),
  }),
  shadow: z.looseObject({
    op: z.literal('shadow'),
    x: length().default('1%'),
    y: length().default('2%'),
    blur: extent().default('4%').describe('As in CSS.'),
    spread: length().default(0),
    color: color().default('rgb(0 0 0 / 50%)'),
  }),
  background: z.looseObject({
    op: z.literal('background'),
    color: color().optional(),
    gradient: gradient.optional(),
    image: fillableImageField.optional(),
    blur: extent().optional().describe('Of the image itself.'),
    remove: z
      .boolean()
      .optional()
      .describe('Remove the background of the original image before all operations.'),
  }),
  adjust: z.looseObject({
    op: z.literal('adjust'),
    exposure: number(-10, 10).default(0).describe('EV: 1 doubles the light.'),
    brightness: share(),
    contrast: share(),
    saturation: number(-1, 4).default(0),
    vibrance: share(),
    temperature: share().describe('Above 0 warmer.'),
    tint: share().describe('Above 0 magenta.'),
    highlights: share(),
    shadows: share(),
    gamma: number(0.1, 10).default(1),
    hue: number(-360, 360).default(0),
    levels: levels.optional(),
    curve: curvePoints().optional(),
    auto: z.boolean().default(false).describe('Exposure, white balance and levels.'),
  }),
  curve: z.looseObject({
    op: z.literal('curve'),
    points: curvePoints(),
    channel: z.enum(['rgb', 'red', 'green', 'blue']).default('rgb'),
  }),
  tone: z.looseObject({
    op: z.literal('tone'),
    style: z.enum(['grayscale', 'sepia', 'duotone', 'invert', 'threshold', 'posterize']).default('grayscale'),
    amount: number(0, 1).default(1),
    dark: color().default('#1b1464'),
    light: color().default('#fdf3d8'),
    threshold: number(0, 255).default(128),
    levels: integer(2, 64).default(4),
  }),
  lut: z.looseObject({
    op: z.literal('lut'),
    file: z.string().min(1).max(12_000_000).describe('A .cube file: its text, base64 or a handle.'),
    amount: number(0, 1).default(1),
  }),
  sharpen: z.looseObject({
    op: z.literal('sharpen'),
    amount: number(0, 5).default(0.5),
    radius: extent().default(1),
  }),
  denoise: z.looseObject({
    op: z.literal('denoise'),
    amount: number(0, 2).default(0.5),
    radius: extent().default(4).describe('Size of the coarsest grain, up to 8 px.'),
  }),
  blur: z.looseObject({
    op: z.literal('blur'),
    amount: extent().optional().describe('Standard deviation.'),
    where: where().default('all'),
    feather: extent().default('10%'),
  }),
  pixelate: z.looseObject({
    op: z.literal('pixelate'),
    amount: extent().optional().describe('Side of a cell.'),
    where: where().default('all'),
  }),
  redact: z.looseObject({
    op: z.literal('redact'),
    where: where(),
    color: color().default('black'),
    padding: extent().default(0),
  }),
  overlay: z.looseObject({
    op: z.literal('overlay'),
    image: fillableImageField,
    box: box().optional(),
    width: extent().optional(),
    height: extent().optional(),
    gravity: gravity(),
    margin: extent().default('3%'),
    rotate: number(-36_000, 36_000).default(0),
    opacity: number(0, 1).default(1),
    blend: z.enum(BLEND_MODES).default('normal'),
    tile: z.boolean().default(false),
  }),
  mask: z.looseObject({
    op: z.literal('mask'),
    ...maskFields(),
  }),
  opacity: z.looseObject({ op: z.literal('opacity'), value: number(0, 1) }),
  flatten: z.looseObject({ op: z.literal('flatten'), background: color().default('white') }),
  perspective: z.looseObject({
    op: z.literal('perspective'),
    corners: quad()
      .optional()
      .describe('Upper left, upper right, lower right, lower left of what becomes a rectangle.'),
    from: quad().optional().describe('Points that move to those of to. Default: the corners of the image.'),
    to: quad().optional(),
    width: extent().optional(),
    height: extent().optional(),
  }),
  text: z.looseObject({
    op: z.literal('text'),
    text: z.string().min(1, 'must not be empty').max(TEXT_CHARACTERS_MAX),
    box: box().optional(),
    gravity: z.enum(GRAVITIES).default('south'),
    margin: extent().default('5%'),
    width: extent().optional(),
    font: z.string().max(100).optional(),
    weight: integer(1, 1000).optional(),
    size: extent().optional().describe('Default: fitted into box, else 6 %.'),
    fit: z
      .boolean()
      .optional()
      .describe('true: as large as fits. Default: reduces size if the text does not fit. false: never.'),
    color: color().optional().describe('Default: black or white, by the background.'),
    align: z.enum(ALIGNMENTS).optional(),
    valign: z.enum(VERTICAL_ALIGNMENTS).optional(),
    leading: number(0.5, 5).optional(),
    tracking: number(-0.5, 5).optional(),
    direction: z.enum(['auto', 'ltr', 'rtl']).optional(),
    language: z.string().max(35).optional(),
    stroke: z.object({ color: color().default('black'), width: extent().default('0.4%') }).optional(),
    shadow: drawnShadow().optional(),
    background: z
      .object({
        color: color().default('rgb(0 0 0 / 60%)'),
        padding: extent().default('1.5%'),
        radius: extent().default(0),
      })
      .optional(),
    rotate: number(-36_000, 36_000).default(0),
    opacity: number(0, 1).default(1),
    tile: z.boolean().default(false).describe('Repeats it over the whole image, at intervals of margin.'),
  }),
  shape: z.looseObject({
    op: z.literal('shape'),
    type: z.enum(SHAPE_TYPES).default('rect'),
    box: box().optional(),
    points: z.array(z.array(length()).length(2, 'must be [x, y]')).min(2).max(100).optional(),
    path: z.string().max(10_000).optional().describe('SVG path data.'),
    radius: extent().default(0),
    fill: color().optional(),
    stroke: color().optional(),
    width: extent().default('0.6%').describe('Of the stroke.'),
    shadow: drawnShadow().optional(),
    rotate: number(-36_000, 36_000).default(0),
    opacity: number(0, 1).default(1),
  }),
  qr: z.looseObject({
    op: z.literal('qr'),
    text: z.string().min(1, 'must not be empty').max(3000),
    box: box().optional(),
    gravity: z.enum(GRAVITIES).default('southeast'),
    margin: extent().default('3%'),
    width: extent().default('25%'),
    level: z.enum(QR_LEVELS).default('M'),
    quiet_zone: integer(0, 20).default(4),
    color: color().default('black'),
    background: color().default('white'),
  }),
  ai_label: z.looseObject({
    op: z.literal('ai_label'),
    style: z.enum(LABEL_STYLES).default('icon'),
    corner: z.enum(LABEL_CORNERS).default('bottom_right'),
    language: z.enum(LABEL_LANGUAGES).default('en'),
    kind: z.enum(['generated', 'modified']).default('modified'),
  }),
} as const;

export type OperationName = keyof typeof OPERATION_FIELDS;
export const OPERATION_NAMES = Object.keys(OPERATION_FIELDS) as [OperationName, ...OperationName[]];

const all = Object.values(OPERATION_FIELDS);
/** One operation in its documented form. */
export const operationSchema = z.discriminatedUnion(
  'op',
  all as unknown as [(typeof all)[number], ...typeof all],
  {
    error: `must be one of ${OPERATION_NAMES.join(', ')}`,
  },
);
export type SentOperation = z.output<typeof operationSchema>;

/** The operation without unknown fields, and their names. */
export function knownFields(operation: SentOperation): { known: SentOperation; unknown: string[] } {
  const { shape } = OPERATION_FIELDS[operation.op];
  const entries = Object.entries(operation);
  const isKnown = (name: string): boolean => Object.hasOwn(shape, name);
  return {
    known: Object.fromEntries(
      entries.filter(([name, value]) => isKnown(name) && value !== undefined),
    ) as SentOperation,
    unknown: entries.flatMap(([name]) => (isKnown(name) || name.startsWith('~') ? [] : [name])),
  };
}
