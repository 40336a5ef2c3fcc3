import { html } from 'hono/html';
import type { z } from 'zod';
import { inputJsonSchema } from '../../../catalog/envelope_schema.ts';
import type { Html } from '../../../core/html/html_page.ts';
import type { AnyOperation } from '../../../features/definitions/operation.ts';
import { actLabel } from './acts.ts';

interface FieldSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly items?: { readonly enum?: readonly string[] };
}

interface Field extends FieldSchema {
  readonly name: string;
  readonly isRequired: boolean;
}

/** Entered values by field. */
export type Filled = Readonly<Record<string, readonly string[]>>;

/** Confirms that the operator knows it cannot be undone. */
export const SURE = 'sure';

/** Form of an admin action, generated from the input schema of its operation. */
export const actForm = (act: AnyOperation, filled: Filled): Html =>
  html`<form class="ticket narrow" method="post">
${fieldsOf(act.input).map((field) => fieldHtml(field, filled[field.name] ?? []))}
${act.isFinal ? html`<label class="check"><input type="checkbox" name="${SURE}" value="yes" required> <span>I understand that this cannot be undone</span></label>` : ''}
<button class="main" name="act" value="${act.name}">${actLabel(act)}</button>
<p class="small quiet">The audit log records this action with your name and reason. It cannot be changed. <a href="/operate">Go to overview</a></p></form>`;

function fieldHtml(
  { name, description = '', isRequired, ...schema }: Field,
  filled: readonly string[],
): Html {
  const label = capital(name.replaceAll('_', ' '));
  const hint = html`<span class="small quiet hint" id="hint-${name}">${description}</span>`;
  const required = isRequired ? html` required` : '';
  const choices = schema.items?.enum;
  if (choices) {
    const chosen = filled.length > 0 ? filled : (schema.default as readonly string[] | undefined);
    return html`<fieldset><legend>${label}</legend>${choices.map(
      (choice) =>
        html`<label class="check"><input type="checkbox" name="${name}" value="${choice}"${chosen?.includes(choice) ? html` checked` : ''}> <span>${choice}</span></label>`,
    )}${hint}</fieldset>`;
  }
  const [value = schema.default === undefined ? '' : String(schema.default)] = filled;
  if (schema.enum)
    return html`<label><span>${label}</span><select name="${name}" aria-describedby="hint-${name}">${schema.enum.map(
      (choice) => html`<option${choice === value ? html` selected` : ''}>${choice}</option>`,
    )}</select></label>${hint}`;
  return html`<label><span>${label}</span><input name="${name}" value="${value}"${required} aria-describedby="hint-${name}" autocomplete="off" spellcheck="false"></label>${hint}`;
}

const capital = (text: string): string => text.replace(/^./, (first) => first.toUpperCase());

/** Required ones first; the reason stands last, next to the button. */
export function fieldsOf(input: z.ZodObject): readonly Field[] {
  const { properties, required = [] } = schemaOf(input);
  const rank = ({ name, isRequired }: Field) => (name === 'reason' ? 2 : isRequired ? 0 : 1);
  return Object.entries(properties)
    .filter(([name]) => Object.hasOwn(input.shape, name))
    .map(([name, schema]) => ({ name, ...schema, isRequired: required.includes(name) }))
    .sort((one, other) => rank(one) - rank(other));
}

const schemaOf = (input: z.ZodObject) =>
  inputJsonSchema({ input, price: { kind: 'free' } }, 'draft-2020-12') as {
    readonly properties: Readonly<Record<string, FieldSchema>>;
    readonly required?: readonly string[];
  };

/** Form values as operation input: typed numbers, lists of ticked options; empty fields are omitted. */
export function inputOf({ input }: AnyOperation, form: FormData): Record<string, unknown> {
  const sent = fieldsOf(input).map(({ name, type }): [string, unknown] => {
    const texts = form.getAll(name).flatMap((value) => (typeof value === 'string' ? value.trim() : []));
    const [text = ''] = texts;
    if (type === 'array') return [name, texts.length > 0 ? texts : undefined];
    if (text === '') return [name, undefined];
    return [name, type === 'number' || type === 'integer' ? Number(text) : text];
  });
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined));
}
