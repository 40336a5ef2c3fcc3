import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import { referencesIn } from '../../../features/recipes/tools/references.ts';
import { priceLabel } from '../price_label.ts';
import { fieldHtml } from '../tools/drop_html.ts';
import { formHtml } from '../tools/editors.ts';
import { partsHtml } from '../tools/parts_html.ts';
import { type Field, fieldsOf } from '../tools/tool_fields.ts';
import { type Draft, isReference, makesFile, nameInForm, OWN, ownInForm } from './draft.ts';

/** A step with the fields of its tool; images are chosen from the inputs and the results of earlier steps. */
export function stepForm(draft: Draft, at: number, tools: readonly AnyTool[]): Html {
  const { tool: name, save_as: place, settings, rest } = draft.steps[at]!;
  const tool = tools.find((one) => one.name === name);
  const fields = tool ? fieldsOf(tool).filter(({ kind, isRequired }) => kind !== 'wallet' || isRequired) : [];
  const drawn = (some: readonly Field[]) =>
    some.map((field) => controlHtml(tool!, field, settings[field.name], { draft, at, tools }));
  const isFirst = (field: Field) => field.isUsual || settings[field.name] !== undefined;
  const more = fields.filter((field) => !isFirst(field));
  return html`<li><div class="head"><h2 class="minor">${tool?.title ?? name}</h2><span class="small quiet">${tool ? priceLabel(tool.price) : 'This tool is no longer available.'}</span></div>
<input type="hidden" name="tool" value="${name}"><input type="hidden" name="save_as" value="${place}"><input type="hidden" name="rest" value="${JSON.stringify(rest)}">
<div class="stack">${drawn(fields.filter(isFirst))}${more.length > 0 ? html`<details class="more"><summary>More settings</summary><div class="stack">${drawn(more)}</div></details>` : ''}</div>
<div class="row">${moves(at, draft.steps.length)}</div></li>`;
}

function moves(at: number, count: number): Html {
  const move = (to: string, text: string, isThere: boolean) =>
    isThere
      ? html`<button class="bare" name="do" value="${to} ${at}" formnovalidate>${text}<span class="unseen"> step ${at + 1}</span></button>`
      : '';
  return html`${move('up', 'Move up', at > 0)}${move('down', 'Move down', at < count - 1)}${move('remove', 'Remove', true)}`;
}

interface Place {
  readonly draft: Draft;
  readonly at: number;
  readonly tools: readonly AnyTool[];
}

function controlHtml(tool: AnyTool, field: Field, text: string | undefined, place: Place): Html {
  const inForm: Field = { ...field, name: nameInForm(place.at, field.name) };
  if (field.kind === 'picture' || field.kind === 'file') return imagePicker(inForm, field, text ?? '', place);
  // A number or choice control cannot show a reference.
  const shown: Field = isReference(text ?? '') ? { ...inForm, kind: 'text' } : inForm;
  if (shown.kind === 'object') return partsHtml(inForm, text ?? '');
  return fieldHtml({ ...shown, isRequired: false }, text, undefined, (control) =>
    formHtml(tool, field, control),
  );
}

/** Source of an image: an input, the result of an earlier step, or a fixed image. */
function imagePicker(inForm: Field, field: Field, text: string, { draft, at, tools }: Place): Html {
  const choices: readonly (readonly [string, string])[] = [
    ...(field.isRequired ? [] : [['', 'None'] as const]),
    ...inputsOf(draft).map((name) => [`$${name}`, `Entered at each run (${name})`] as const),
    ...draft.steps
      .slice(0, at)
      .flatMap(({ tool: name, save_as }, step) =>
        makesFile(tools, name)
          ? [[`$${save_as}`, `Result of step ${step + 1}: ${titleOf(tools, name)}`] as const]
          : [],
      ),
  ];
  const isOwn = text !== '' && !choices.some(([value]) => value === text);
  const id = `field-${inForm.name}`;
  return html`<div class="field"><label for="${id}">${field.label}${field.isRequired ? '' : html` <small class="quiet">optional</small>`}</label>
<select id="${id}" name="${inForm.name}">${choices.map(([value, label]) => option(value, label, value === text))}${option(OWN, 'Fixed image, entered below', isOwn)}</select>
<details class="small"${isOwn ? html` open` : ''}><summary>Fixed image</summary><label class="unseen" for="${id}-own">URL or handle: ${field.label}</label><input id="${id}-own" name="${ownInForm(at, field.name)}" value="${isOwn ? text : ''}" autocomplete="off" spellcheck="false" placeholder="https://…, asset:…, artwork:…"></details></div>`;
}

const option = (value: string, label: string, isChosen: boolean): Html =>
  html`<option value="${value}"${isChosen ? html` selected` : ''}>${label}</option>`;

const titleOf = (tools: readonly AnyTool[], name: string): string =>
  tools.find((tool) => tool.name === name)?.title ?? name;

/** Names of inputs; the first image is called photo. */
function inputsOf({ steps }: Draft): readonly string[] {
  const made = new Set(steps.map(({ save_as }) => save_as));
  const named = steps.flatMap(({ settings }) => referencesIn(settings).map(({ name }) => name));
  return [...new Set(['photo', ...named])].filter((name) => !made.has(name));
}
