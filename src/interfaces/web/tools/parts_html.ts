import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { dropHtml, fieldHtml } from './drop_html.ts';
import { kindPart, nameOfPart, objectOf, textOf } from './settings.ts';
import type { Field } from './tool_fields.ts';

interface PartsOptions {
  /** By the name of the field or part. */
  readonly problems?: Readonly<Record<string, string>>;
  /** Images may be chosen as files; otherwise they are handles. */
  readonly takesFiles?: boolean;
}

/**
 * An object as a group of controls, one for each part. It works without programs: the page hides parts of other kinds by CSS, and
 * `sentText` puts the object together from what was sent.
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

/** The kinds of an object, and none, for no object at all. */
function toggleOfKind(drawn: (part: Field) => Html, { label }: Field, first: Field): Html {
  const offered = { ...first, label, options: ['', ...first.options], absent: 'None' };
  return html`<div data-toggle>${drawn(offered)}</div>`;
}

/** Whether there is such an object. An unticked box is not sent, so that "no" is sent before it. */
const tick = ({ name, label }: Field, text: string): Html =>
  html`<input type="hidden" name="${name}" value=""><label class="tick" data-toggle><input type="checkbox" name="${name}" value="{}"${text === '' ? '' : html` checked`}>${label}</label> <code class="param">${name}</code>`;

/** The kinds a part belongs to, counted among the choices of the first part; the first choice is none. */
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

/** The kinds it belongs to are seen: it is shown with these alone. */
function hintOfPart({ hint, kinds = [] }: Field): string {
  const prefix = `${kinds.join(', ')}: `;
  if (kinds.length === 0 || !hint.startsWith(prefix)) return hint;
  return hint.slice(prefix.length).replace(/^./, (letter) => letter.toUpperCase());
}

/** People see the controls and need no JSON. */
const withoutExample = (hint: string): string => hint.replace(/, such as \{[^}]*\}/g, '');
