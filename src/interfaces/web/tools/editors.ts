import { FITS, LAYOUT_TYPES } from '@atelier/imaging/composer/layers.ts';
import { html } from 'hono/html';
import { z } from 'zod';
import type { Html } from '../../../core/html/html_page.ts';
import {
  fieldsOfLayer,
  layerField,
  layoutField,
  maskSchema,
} from '../../../features/definitions/edit_operations/layer_fields.ts';
import {
  OPERATION_FIELDS,
  OPERATION_NAMES,
  type OperationName,
} from '../../../features/definitions/edit_operations/operation_fields.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import { observationsSchema } from '../../../features/enrichment/observations/observation_fields.ts';
import { VARIANT_SET_NAMES } from '../../../features/images/tools/variant_sets.ts';
import { type ItemKind, itemForms, objectForm } from './item_forms.ts';
import { type Field, labelOf } from './tool_fields.ts';

/** Editor of a field. Without JavaScript the plain control remains. */
type Editor =
  | 'operations'
  | 'layers'
  | 'canvas'
  | 'boxes'
  | 'place'
  | 'strokes'
  | 'mask'
  | 'sizes'
  | 'layout'
  | 'object';

const EDITORS: Readonly<Record<string, Readonly<Record<string, Editor>>>> = {
  edit_image: { operations: 'operations' },
  compose_image: { layers: 'layers', canvas: 'canvas', layout: 'layout' },
  erase_object: { where: 'boxes', mask: 'mask' },
  remove_background: { where: 'place', strokes: 'strokes' },
  make_variants: { set: 'sizes' },
  enrich_metadata: { observations: 'object' },
};

/** Whether the tool page previews its result while settings change. */
export const hasEditor = (tool: string): boolean =>
  Object.values(EDITORS[tool] ?? {}).some((editor) => editor !== 'object');

/** Whether a person describes the image, so that it stays visible beside the form. */
export const describesImage = (tool: string): boolean =>
  Object.values(EDITORS[tool] ?? {}).includes('object');

/** Whether a field is edited on the image, so that it is not hidden under "More settings". */
export const isSetOnImage = (tool: string, { name }: Pick<Field, 'name'>): boolean =>
  /^(boxes|place|strokes)$/.test(EDITORS[tool]?.[name] ?? '');

/** The fields of an object field; undefined for other fields. */
function fieldsOfObject(schema: z.ZodType | undefined): ItemKind['fields'] | undefined {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap() as z.ZodType;
  const shape = inner instanceof z.ZodObject ? inner.shape : {};
  return Object.keys(shape).length > 0 ? (shape as ItemKind['fields']) : undefined;
}

/** Whether the field has an editor that needs no image: operations, layers or object fields. */
export const hasForm = ({ name, input }: AnyTool, field: Pick<Field, 'name'>): boolean =>
  /^(operations|layers|object)$/.test(EDITORS[name]?.[field.name] ?? '') ||
  fieldsOfObject(input.shape[field.name]) !== undefined;

/** The control wrapped in such an editor, or unchanged if there is none. */
export function formHtml(tool: AnyTool, field: Pick<Field, 'name'>, control: Html): Html {
  const editor = EDITORS[tool.name]?.[field.name];
  if (editor !== undefined && hasForm(tool, field) && editor !== 'canvas')
    return editorHtml(tool.name, field, control);
  const fields = fieldsOfObject(tool.input.shape[field.name]);
  return fields ? html`<at-object>${control}${objectForm(fields)}</at-object>` : control;
}

/** The control wrapped in its editor. @param control plain control, used without JavaScript */
export function editorHtml(tool: string, field: Pick<Field, 'name'>, control: Html): Html {
  const editor = EDITORS[tool]?.[field.name];
  if (editor === 'operations' || editor === 'layers')
    return html`<at-list data-edits="${editor}" data-key="${editor === 'layers' ? 'type' : 'op'}">${control}${itemForms(editor === 'layers' ? LAYERS : OPERATIONS)}</at-list>`;
  if (editor === 'object') return html`<at-object>${control}${objectForm(OBSERVATIONS)}</at-object>`;
  if (editor === 'layout') return html`<at-object>${control}${objectForm(LAYOUT)}</at-object>`;
  if (editor === undefined) return control;
  const options = editor === 'sizes' ? html` data-options="${VARIANT_SET_NAMES.join(' ')}"` : '';
  return html`<at-field data-edits="${editor}"${options}>${control}</at-field>`;
}

const TITLES: Readonly<Record<string, string>> = {
  overlay: 'Image on top',
  qr: 'QR code',
  ai_label: 'AI label',
  lut: 'Colour table',
  adjust: 'Light and colour',
};
const titleOf = (name: string): string => TITLES[name] ?? labelOf(name);

/** Groups of buttons. The most frequent operations have no group, so their buttons come first. */
const GROUPS: Readonly<Record<string, readonly OperationName[]>> = {
  Shape: ['trim', 'straighten', 'flip', 'resize', 'pad', 'border', 'round', 'perspective'],
  Colour: ['tone', 'curve', 'lut', 'opacity'],
  Detail: ['sharpen', 'denoise', 'pixelate', 'redact'],
  Drawing: ['shape', 'qr', 'ai_label', 'shadow', 'background', 'mask', 'flatten'],
};
/** Fields without a control; they are entered as JSON. */
const HIDDEN: ReadonlySet<string> = new Set([
  ...['op', 'type', 'remove', 'language', 'direction', 'path', 'gradient', 'layers', 'layout'],
]);

const shownFields = (
  shape: Readonly<Record<string, unknown>>,
  names: readonly string[] = Object.keys(shape),
): ItemKind['fields'] =>
  Object.fromEntries(
    names.filter((name) => !HIDDEN.has(name)).map((name) => [name, shape[name]]),
  ) as ItemKind['fields'];

const OPERATIONS: readonly ItemKind[] = OPERATION_NAMES.map((name) => {
  const group = Object.keys(GROUPS).find((one) => GROUPS[one]!.includes(name));
  const shape: Readonly<Record<string, unknown>> = OPERATION_FIELDS[name].shape;
  const fields = name === 'shape' ? { ...shownFields(shape), type: shape.type } : shownFields(shape);
  return {
    name,
    title: titleOf(name),
    ...(group && { group }),
    fields: fields as ItemKind['fields'],
  };
});

/** Named people need a basis each, so they are entered as JSON. */
const { named: _, ...OBSERVATIONS } = observationsSchema.shape;

/** The type comes first and has no default: it selects the layout. */
const LAYOUT: ItemKind['fields'] = {
  ...layoutField.shape,
  type: z.enum(LAYOUT_TYPES).optional().describe('How to arrange layers that have no box.'),
};

/** Fields with several input formats, reduced to one for the form. */
const FORM_FIELDS: ItemKind['fields'] = {
  mask: maskSchema.optional(),
  operations: z
    .array(z.looseObject({}))
    .describe('Same format as in edit_image: [{"op": "blur", "amount": 4}]'),
};

/** `fit` is an enum for images and a boolean for text. */
const FITS_OF: Readonly<Record<string, ItemKind['fields']>> = {
  image: { fit: z.enum(FITS).optional() },
  text: { fit: z.boolean().default(true) },
};

const LAYER_TYPES = ['image', 'text', 'shape', 'qr'] as const;
const LAYERS: readonly ItemKind[] = LAYER_TYPES.map((name) => ({
  name,
  title: titleOf(name),
  fields: { ...shownFields(layerField.shape, ownFirst(name)), ...FORM_FIELDS, ...FITS_OF[name] },
}));

/** Content fields come before position fields. */
function ownFirst(type: (typeof LAYER_TYPES)[number]): readonly string[] {
  const names = fieldsOfLayer(type);
  const common = [
    ...['name', 'box', 'gravity', 'margin', 'width', 'height', 'opacity', 'blend', 'rotate'],
    ...['link_to', 'mask', 'operations'],
  ];
  return [...names.filter((name) => !common.includes(name)), ...common];
}
