import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { dropHtml, fieldHtml } from './drop_html.ts';
import { kindPart, nameOfPart, objectOf, textOf } from './settings.ts';
import type { Field } from './tool_fields.ts';

interface PartsOptions {
  /** By the name of the field or part. */
  readonly problems?: Readonly<Record<string, string>>;
  /** Images may be chosen as files; otherwise only handles are accepted. */
  readonly takesFiles?: boolean;
}

/**
 * An object as a group of controls, one per part. Works without JavaScript: CSS hides the parts of other kinds, and `sentText`
 * assembles the object from the posted parts.
 * @param text the object as JSON
 */
export function partsHtml(
  field: Field,
  text = '',
  { problems = {}, takesFiles = false }: PartsOptions = {},
): Html {
  const values = objectOf(text);
  const first = kindPart(field);
  const drawn = (part: Field) => {
    const named = { ...part, name: nameOfPart(field.name, part) };
    const value = values[part.name] === undefined ? undefined : textOf(part, values[part.name]);
    return partHtml(named, value, { problem: problems[named.name], takesFiles });
  };
  const rest = (field.parts ?? []).filter((part) => part !== first);
  const hasOwn = Object.keys(problems).some((name) => name.startsWith(`${field.name}.`));
  const problem = hasOwn ? undefined : problems[field.name];
  return html`<fieldset class="field parts" aria-label="${field.label}">${first ? toggleOfKind(drawn, field, first) : tick(field, text)}
${problem ? html`<small class="bad">${problem}</small>` : ''}<small class="hint quiet">${withoutExample(field.hint)}</small>
${rest.map((part) => html`<div class="part"${places(part, first)}>${drawn(part)}</div>`)}</fieldset>`;
}

/** Choice of the kind of an object; "None" leaves it unset. */
function toggleOfKind(drawn: (part: Field) => Html, { label }: Field, first: Field): Html {
  const offered = { ...first, label, options: ['', ...first.options], absent: 'None' };
  return html`<div data-toggle>${drawn(offered)}</div>`;
}

/** Whether the object is set. Browsers do not send an unticked box, so an empty value precedes it. */
const tick = ({ name, label }: Field, text: string): Html =>
  html`<input type="hidden" name="${name}" value=""><label class="tick" data-toggle><input type="checkbox" name="${name}" value="{}"${text === '' ? '' : html` checked`}>${label}</label> <code class="param">${name}</code>`;

/** Indexes of the kinds a part belongs to among the choices of the first part; index 0 is none. */
function places({ kinds = [] }: Field, first: Field | undefined): Html {
  const of = kinds.map((kind) => (first?.options ?? []).indexOf(kind) + 1);
  return of.length > 0 ? html` data-of="${of.join(' ')}"` : html``;
}

function partHtml(
  part: Field,
  text: string | undefined,
  { problem, takesFiles }: { problem: string | undefined; takesFiles: boolean },
): Html {
  const said = { ...part, hint: hintOfPart(part) };
  if (part.kind !== 'pictures' || !takesFiles) return fieldHtml(said, text, problem);
  const drop = dropHtml({
    field: said,
    text: text ?? '',
    problem,
    linkTo: () => '',
    samples: [],
    isBatch: true,
  });
  return html`${drop}<p class="small hint quiet">${said.hint}</p>`;
}

/** Drops the kinds from the hint: the part is only shown for them. */
function hintOfPart({ hint, kinds = [] }: Field): string {
  const prefix = `${kinds.join(', ')}: `;
  if (kinds.length === 0 || !hint.startsWith(prefix)) return hint;
  return hint.slice(prefix.length).replace(/^./, (letter) => letter.toUpperCase());
}

/** Drops the JSON example, which the controls replace. */
const withoutExample = (hint: string): string => hint.replace(/, such as \{[^}]*\}/g, '');
