import { FITS, LAYOUT_TYPES, type Layer } from '@atelier/imaging/composer/layers.ts';
import { LAYERS_MAX } from '@atelier/imaging/composer/limits.ts';
import { QR_LEVELS } from '@atelier/imaging/drawing/draw_qr.ts';
import { SHAPE_TYPES } from '@atelier/imaging/drawing/draw_shape.ts';
import { POINTS_MAX } from '@atelier/imaging/drawing/limits.ts';
import { GRAVITIES } from '@atelier/imaging/editor/lengths.ts';
import { OPERATIONS_MAX } from '@atelier/imaging/editor/limits.ts';
import { BLEND_MODES } from '@atelier/imaging/editor/operations.ts';
import { ALIGNMENTS, VERTICAL_ALIGNMENTS } from '@atelier/imaging/typography/set_text.ts';
import { z } from 'zod';
import { fillableImageField } from '../fields.ts';
import { pictureIn } from '../images_in.ts';
import { enumSynonyms, inPercent, withAliases, withCoercion } from '../spellings.ts';
import {
  box,
  color,
  extent,
  GRAVITY_SYNONYMS,
  length,
  maskFields,
  number,
  operationSchema,
  type SentOperation,
} from './operation_fields.ts';
import { readOperations } from './read_operations.ts';

const TYPES = ['image', 'text', 'shape', 'qr', 'group'] as const;
/** Fields of each layer type, in addition to the common ones. */
const OWN: Readonly<Record<Layer['type'], readonly string[]>> = {
  image: ['image', 'fit', 'radius'],
  text: [
    ...['text', 'font', 'weight', 'size', 'fit', 'color', 'align', 'valign', 'leading', 'tracking'],
    ...['stroke', 'shadow', 'background', 'direction', 'language'],
  ],
  shape: ['shape', 'fill', 'stroke', 'radius', 'points', 'path', 'shadow'],
  qr: ['text', 'level', 'quiet_zone', 'color', 'background'],
  group: ['layers', 'layout'],
};
const COMMON = [
  ...['type', 'name', 'box', 'gravity', 'margin', 'width', 'height', 'opacity', 'blend', 'rotate'],
  ...['link_to', 'mask', 'operations'],
];
export const fieldsOfLayer = (type: Layer['type']): readonly string[] => [...COMMON, ...OWN[type]];

const gravity = () => withCoercion(z.enum(GRAVITIES), enumSynonyms(GRAVITY_SYNONYMS));

export const layoutField = z.object({
  type: withCoercion(
    z.enum(LAYOUT_TYPES).default('grid'),
    enumSynonyms({ contactsheet: 'grid', horizontal: 'row', vertical: 'column', collage: 'masonry' }),
  ),
  columns: z.int().min(1).max(LAYERS_MAX).optional(),
  gap: extent().optional().describe('Absent: 2 %.'),
  padding: extent().optional().describe('At the edges. Default: the gap.'),
  align: withAliases(gravity().optional().describe('Of layers in their cells.'), 'gravity', 'valign'),
  captions: z.boolean().optional().describe('Write the name of each layer below it.'),
  numbers: z.boolean().optional().describe('Number the layers.'),
});

const WEIGHTS = enumSynonyms({ bold: '700', normal: '400', regular: '400', black: '900', light: '300' });
const strokeField = z.object({
  color: color(),
  width: extent(),
  cap: z.enum(['round', 'butt', 'square']).optional(),
});
const shadowField = z.object({
  x: length().optional(),
  y: length().optional(),
  blur: extent().optional(),
  color: color().optional(),
});
const plateField = z.object({
  color: color(),
  padding: extent().optional(),
  radius: extent().optional(),
});

export const maskSchema = z.object(maskFields(), 'must be {image} or {shape}, with invert and feather');
export type SentMask = z.output<typeof maskSchema>;

const MASK_SHAPES = enumSynonyms({
  circle: 'circle',
  round: 'circle',
  ellipse: 'ellipse',
  oval: 'ellipse',
  rect: 'rect',
  rectangle: 'rect',
  square: 'rect',
});

/** Coerces the name of a shape, or an image in a form of other APIs, to a mask; accepts `type` for `shape`. */
function readMask(sent: unknown): unknown {
  if (typeof sent === 'string') {
    const shape = MASK_SHAPES(sent);
    return shape ? { shape } : { image: sent };
  }
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  const { type, kind, shape = type ?? kind, src, url, ...others } = sent as Record<string, unknown>;
  const image = others.image ?? src ?? url;
  return {
    ...others,
    ...(image !== undefined && { image: pictureIn([image]) ?? image }),
    ...(typeof shape === 'string' && shape !== 'image' && { shape: MASK_SHAPES(shape) ?? shape }),
  };
}

/** A layer in the input, with the fields of all types. */
export interface SentLayer {
  readonly type: Layer['type'];
  readonly layers?: readonly SentLayer[] | undefined;
  readonly operations?: readonly SentOperation[] | undefined;
  readonly mask?: SentMask | undefined;
  readonly [field: string]: unknown;
}

/** Validated by the mask schema, which is documented once, with the operation. */
const maskOfLayer = z.record(z.string(), z.unknown()).transform((sent, context) => {
  const { data, error } = maskSchema.safeParse(sent);
  for (const { path, message } of error?.issues ?? [])
    context.addIssue({ code: 'custom', path: [...path], message, input: sent });
  return data as SentMask;
});

/** Operations of a layer, validated like those of edit_image, without repeating their schemas in every document. */
const operationsOfLayer = z
  .array(z.record(z.string(), z.unknown()))
  .max(OPERATIONS_MAX)
  .transform((sent, context) =>
    sent.map((operation, at) => {
      const { data, error } = operationSchema.safeParse(operation);
      for (const { path, message } of error?.issues ?? [])
        context.addIssue({ code: 'custom', path: [at, ...path], message, input: operation });
      return data as SentOperation;
    }),
  );

/** Layers of a group, validated as layers without a recursive schema. */
const childrenField: z.ZodType<readonly SentLayer[]> = z
  .array(z.record(z.string(), z.unknown()))
  .min(1)
  .max(LAYERS_MAX)
  .transform((sent, context) =>
    sent.map((layer, at) => {
      const { data, error } = layerField.safeParse(layer);
      for (const { path, message } of error?.issues ?? [])
        context.addIssue({ code: 'custom', path: [at, ...path], message, input: layer });
      return data as SentLayer;
    }),
  );

const typeField = withCoercion(
  z.enum(TYPES),
  enumSynonyms({
    picture: 'image',
    photo: 'image',
    logo: 'image',
    qrcode: 'qr',
    label: 'text',
    title: 'text',
    folder: 'group',
  }),
);

/** One layer. Unknown fields pass, so that warnings can name them. */
export const layerField = z.looseObject({
  type: withAliases(typeField, 'kind', 'layer_type'),
  name: z.string().max(200).optional().describe('For captions and the response.'),
  box: withAliases(
    box().optional().describe('Default: by gravity, or by the layout.'),
    'position',
    'rect',
    'bounds',
    'frame',
  ),
  gravity: withAliases(gravity().optional(), 'anchor', 'place', 'placement'),
  margin: extent().optional().describe('From the edges, with gravity.'),
  width: extent().optional(),
  height: extent().optional(),
  opacity: withCoercion(number(0, 1).optional(), inPercent),
  blend: withAliases(z.enum(BLEND_MODES).optional(), 'blend_mode', 'mode', 'mix_blend_mode'),
  rotate: withAliases(number(-360, 360).optional().describe('Degrees clockwise.'), 'rotation', 'angle'),
  operations: withAliases(
    z
      .preprocess(readOperations, operationsOfLayer.optional())
      .describe(
        'As in edit_image. For an image, applied before placement; for other layers, to the drawn pixels.',
      ),
    ...['operation', 'ops', 'edits', 'effects', 'filters'],
  ),
  mask: withAliases(
    z
      .preprocess(readMask, maskOfLayer.optional())
      .describe('{image} or {shape: circle|ellipse|rect}, invert, feather: where the layer shows.'),
    ...['clip', 'layer_mask', 'alpha_mask'],
  ),
  link_to: withAliases(
    z.string().max(2000).optional().describe('Link target URL, in a pdf or svg.'),
    ...['link', 'href', 'hyperlink'],
  ),
  image: fillableImageField.optional(),
  fit: z
    .union([z.enum(FITS), z.boolean()], 'must be contain, cover or fill; of text true or false')
    .optional(),
  radius: withAliases(extent().optional().describe('Of corners.'), 'corner_radius', 'border_radius'),
  text: withAliases(z.string().max(20_000).optional(), 'content', 'caption', 'string', 'words', 'data'),
  font: withAliases(
    z.string().max(100).optional().describe('A family, or sans, serif, hand, mono.'),
    'font_family',
    'family',
    'typeface',
  ),
  weight: withAliases(
    withCoercion(number(100, 900).optional(), (sent) => {
      const named = WEIGHTS(sent);
      return typeof named === 'string' ? Number(named) : undefined;
    }),
    'font_weight',
  ),
  size: withAliases(
    extent().optional().describe('Em size. Default: fits the box.'),
    'font_size',
    'text_size',
  ),
  color: withAliases(color().optional(), 'colour', 'text_color', 'font_color', 'foreground'),
  align: withAliases(
    withCoercion(z.enum(ALIGNMENTS).optional(), enumSynonyms({ centre: 'center', middle: 'center' })),
    'text_align',
    'alignment',
  ),
  valign: withAliases(
    withCoercion(
      z.enum(VERTICAL_ALIGNMENTS).optional(),
      enumSynonyms({ center: 'middle', centre: 'middle' }),
    ),
    'vertical_align',
  ),
  leading: withAliases(
    number(0.5, 5).optional().describe('Distance of lines, in em.'),
    'line_height',
    'line_spacing',
  ),
  tracking: withAliases(number(-0.5, 5).optional().describe('Between letters, in em.'), 'letter_spacing'),
  direction: z.enum(['auto', 'ltr', 'rtl']).optional(),
  language: z
    .string()
    .max(35)
    .regex(/^[A-Za-z0-9-]*$/, 'must be a language tag such as ja or pt-BR')
    .optional(),
  stroke: withAliases(strokeField.optional(), 'outline'),
  shadow: withAliases(shadowField.optional(), 'drop_shadow', 'text_shadow'),
  background: z.union([color(), plateField], 'must be a CSS colour, or {color, padding, radius}').optional(),
  shape: z.enum(SHAPE_TYPES).optional(),
  fill: withAliases(color().optional(), 'fill_color'),
  points: z.array(z.array(length()).length(2, 'must be [x, y]')).min(2).max(POINTS_MAX).optional(),
  path: withAliases(z.string().max(20_000).optional().describe('SVG path data.'), 'd'),
  level: z.enum(QR_LEVELS).optional(),
  quiet_zone: number(0, 20).optional(),
  layers: withAliases(childrenField.optional(), 'children'),
  layout: layoutField.optional(),
});
