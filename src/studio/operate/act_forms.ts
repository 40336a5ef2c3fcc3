import { html } from 'hono/html';
import type { z } from 'zod';
import { inputJsonSchema } from '../../catalogue/envelope_schema.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { operatorOperations } from '../../operations/operator/index.ts';
import type { Html } from '../../pages/html_page.ts';

/** What an operator can do: everything the operations offer that changes something. */
export const ACTS: readonly AnyOperation[] = operatorOperations.filter(({ methods }) =>
  methods.includes('POST'),
);

/** A form for each act, drawn from what its operation takes. */
export const actForms = (): Html =>
  html`<section><div class="head"><h2>By hand</h2><p class="small quiet">Everything done is written down with its reason, and nobody can change that.</p></div>
<div class="acts">${ACTS.map(
    ({ name, summary, input }) =>
      html`<details><summary>${labelOf(name)}</summary><form method="post"><p class="small quiet">${summary}</p>${fieldsOf(
        input,
      ).map(
        ({ field, description, isRequired }) =>
          html`<label><span>${field.replaceAll('_', ' ')}</span><input name="${field}"${isRequired ? html` required` : ''} autocomplete="off"><span class="small quiet hint">${description}</span></label>`,
      )}<button class="main" name="act" value="${name}">${labelOf(name)}</button></form></details>`,
  )}</div></section>`;

const labelOf = (name: string): string => {
  const words = name.replace(/^operator_/, '').replaceAll('_', ' ');
  return words[0]!.toUpperCase() + words.slice(1);
};

interface Field {
  readonly field: string;
  readonly description: string;
  readonly isRequired: boolean;
}

function fieldsOf(input: z.ZodObject): readonly Field[] {
  const schema = inputJsonSchema({ input, price: { kind: 'free' } }, 'draft-2020-12');
  const required = (schema.required ?? []) as readonly string[];
  return Object.entries(schema.properties as Record<string, { description?: string }>)
    .filter(([field]) => Object.hasOwn(input.shape, field))
    .map(([field, { description = '' }]) => ({ field, description, isRequired: required.includes(field) }));
}

/** What a form sends, as the operation takes it: numbers where it takes numbers, lists between commas; empty fields are left out. */
export function inputOf({ input }: AnyOperation, form: FormData): Record<string, unknown> {
  const properties = inputJsonSchema({ input, price: { kind: 'free' } }, 'draft-2020-12')
    .properties as Record<string, { type?: string }>;
  const sent = Object.keys(input.shape).map((field) => {
    const text = String(form.get(field) ?? '').trim();
    const { type } = properties[field] ?? {};
    if (text === '') return [field, undefined];
    if (type === 'number' || type === 'integer') return [field, Number(text)];
    if (type === 'array') return [field, text.split(',').map((part) => part.trim())];
    return [field, text];
  });
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined));
}
