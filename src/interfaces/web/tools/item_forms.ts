import { html } from 'hono/html';
import { z } from 'zod';
import type { Html } from '../../../core/html/html_page.ts';
import { isImageField } from '../../../features/definitions/fields.ts';
import { isLengthSchema } from '../../../features/definitions/preview.ts';
import { labelOf } from './tool_fields.ts';

/** A kind of list item: an operation or a layer. */
export interface ItemKind {
  /** Value of the discriminator field. */
  readonly name: string;
  readonly title: string;
  /** Group heading of its button. Unset: the button comes first. */
  readonly group?: string;
  /** Fields as a schema has them, in the order they are shown. */
  readonly fields: Readonly<Record<string, z.ZodType>>;
}

/**
 * The form of each item kind as a `<template>`, which `item_list.ts` copies. `data-field` of a control is the path it sets
 * (`shadow.color`), `data-kind` how its value is parsed.
 */
export const itemForms = (kinds: readonly ItemKind[]): Html =>
  html`${kinds.map(
    ({ name, title, group, fields }) =>
      html`<template data-item="${name}" data-title="${title}"${group ? html` data-group="${group}"` : ''}>${fieldsHtml(fields)}</template>`,
  )}`;

/** The form of an object as a `<template>`, which `object_fields.ts` copies. */
export const objectForm = (fields: ItemKind['fields']): Html =>
  html`<template>${fieldsHtml(fields)}</template>`;

/** Fields shown directly; the others are under "More". */
const OPEN_FIELDS_MAX = 5;

function fieldsHtml(fields: Readonly<Record<string, z.ZodType>>, prefix = ''): Html {
  const all = Object.entries(fields);
  const most = prefix === '' && all.length > OPEN_FIELDS_MAX + 2 ? OPEN_FIELDS_MAX : all.length;
  const drawn = (some: typeof all) => some.map(([name, schema]) => fieldHtml(name, schema, prefix));
  return html`${drawn(all.slice(0, most))}${all.length > most ? html`<details><summary>More</summary>${drawn(all.slice(most))}</details>` : ''}`;
}

/** A field schema without its optional and default wrappers. */
interface Inner {
  readonly schema: z.ZodType;
  readonly otherwise: unknown;
  readonly hint: string;
}

function innerOf(schema: z.ZodType): Inner {
  let inner = schema;
  let hint = schema.description ?? '';
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) {
    inner = inner.unwrap() as z.ZodType;
    hint ||= inner.description ?? '';
  }
  hint = hint.replaceAll('`', '');
  const otherwise = schema.safeParse(undefined).data;
  return { schema: inner, otherwise, hint };
}

const COLOR_NAMES = /^(color|background|dark|light|fill|stroke)$/;
/** Wider ranges get a number input instead of a slider. */
const SLIDER_RANGE_MAX = 20;
const LONG_TEXT_MIN = 1_000;
const LONG_NAMES = /^(text|prose|symbolism)$/;
/** Common aspect ratios for cropping. */
const ASPECTS = ['1:1', '4:5', '3:2', '4:3', '16:9', '9:16'];

function fieldHtml(name: string, schema: z.ZodType, prefix: string): Html {
  const { schema: inner, otherwise, hint } = innerOf(schema);
  const path = prefix + name;
  if (inner instanceof z.ZodObject) return groupHtml(name, inner, path);
  const label = labelOf(name);
  if (inner instanceof z.ZodBoolean)
    return html`<label class="tick"><input type="checkbox" data-field="${path}" data-kind="boolean"${otherwise === true ? html` checked data-default` : ''}>${label}</label>`;
  const control = controlHtml(name, { schema: inner, otherwise, hint }, path);
  // The hint of an image field describes API formats only.
  return html`<label>${label}${hint && !isImageField(inner) ? html` <small class="quiet">${hint}</small>` : ''}${control}</label>`;
}

/** A box is always open because it is also edited on the image; other groups are collapsed. */
function groupHtml(name: string, schema: z.ZodObject, path: string): Html {
  const fields = fieldsHtml(schema.shape as Record<string, z.ZodType>, `${path}.`);
  return name === 'box'
    ? html`<fieldset class="box-fields"><legend>Box</legend>${fields}</fieldset>`
    : html`<details><summary>${labelOf(name)}</summary>${fields}</details>`;
}

function controlHtml(name: string, { schema, otherwise }: Inner, path: string): Html {
  const at = html` data-field="${path}"`;
  const known = otherwise === undefined ? html`` : html` placeholder="${String(otherwise)}"`;
  if (isImageField(schema)) return imageHtml(path);
  if (name === 'where')
    return html`<select${at} data-kind="where">${['all', 'faces', 'text', 'background'].map((word) => html`<option value="${word}">${labelOf(word)}</option>`)}<option value="boxes">Boxes drawn on the image</option></select>`;
  if (schema instanceof z.ZodEnum) return selectHtml(schema.options as string[], otherwise, at);
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodString)
    return html`<textarea${at} data-kind="lines" rows="2" placeholder="One per line"></textarea>`;
  if (schema instanceof z.ZodArray)
    return html`<textarea${at} data-kind="json" rows="2" spellcheck="false"></textarea>`;
  if (isLengthSchema(schema)) return html`<input${at} data-kind="length"${known} autocomplete="off">`;
  if (schema instanceof z.ZodNumber) return numberHtml(schema, otherwise, at);
  if (COLOR_NAMES.test(name)) return html`<at-color><input${at}${known} autocomplete="off"></at-color>`;
  if (schema instanceof z.ZodString && (schema.maxLength ?? 0) >= LONG_TEXT_MIN && LONG_NAMES.test(name))
    return html`<textarea${at} rows="2"></textarea>`;
  if (name === 'aspect')
    return html`<input${at}${known} list="aspects" autocomplete="off"><datalist id="aspects">${ASPECTS.map((one) => html`<option value="${one}"></option>`)}</datalist>`;
  return html`<input${at}${known} autocomplete="off">`;
}

function selectHtml(options: readonly string[], otherwise: unknown, at: Html): Html {
  const all = otherwise === undefined ? ['', ...options] : options;
  return html`<select${at}>${all.map((option) => html`<option value="${option}"${option === otherwise ? html` selected data-default` : ''}>${option === '' ? 'Automatic' : labelOf(option)}</option>`)}</select>`;
}

function numberHtml({ minValue, maxValue, isInt }: NumberSchema, otherwise: unknown, at: Html): Html {
  const [min, max] = [minValue ?? Number.NEGATIVE_INFINITY, maxValue ?? Number.POSITIVE_INFINITY];
  const isSlider = otherwise !== undefined && max - min <= SLIDER_RANGE_MAX && !isInt;
  if (!isSlider)
    return html`<input type="number"${at} data-kind="number" min="${min}" max="${max}" step="${isInt ? 1 : 'any'}"${otherwise === undefined ? '' : html` placeholder="${String(otherwise)}"`}>`;
  return html`<span class="slider"><input type="range"${at} data-kind="number" min="${min}" max="${max}" step="${max - min > 4 ? 0.05 : 0.01}" value="${String(otherwise)}" data-default="${String(otherwise)}"><output>${String(otherwise)}</output></span>`;
}

interface NumberSchema {
  readonly minValue: number | null;
  readonly maxValue: number | null;
  readonly isInt: boolean;
}

const imageHtml = (path: string): Html =>
  html`<input type="file" accept="image/*" data-upload="${path}"><input data-field="${path}" aria-label="URL or handle of the image" placeholder="https://…, upload:…" autocomplete="off" spellcheck="false">`;
