import { html } from 'hono/html';
import { z } from 'zod';
import { inputJsonSchema } from '../../../catalog/envelope_schema.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html, Page } from '../../../core/html/html_page.ts';
import type { AnyOperation } from '../../../features/definitions/operation.ts';
import { requireOperator } from '../../../pipeline/authenticate.ts';
import { ask } from '../ask.ts';
import { definePage, type Shown, type Visit } from '../types.ts';
import { adminActionLabel, adminActionNamed } from './admin_actions.ts';
import { asOperator, OPERATE_FORM, ofOperators } from './as_operator.ts';

/** An admin action: description, form and outcome. */
export const adminActionPage = definePage({
  name: 'operate_act',
  path: '/operate/acts/{act}',
  room: '/operate',
  input: z.object({
    act: z.string().max(40),
    about: z.string().max(300).optional().describe('Target of the action, to fill in.'),
  }),
  form: OPERATE_FORM,
  show: async ({ act: name, about }, anybody) => {
    const act = adminActionNamed(name);
    if (!act) throw new AtelierError('not_found', 'Unknown action. See /operate/actions for all actions.');
    return asOperator(anybody, (visit) =>
      visit.form ? perform(act, visit, visit.form) : lookAt(act, visit, about),
    );
  },
});

/** Reports a missing permission before the form is filled in. */
async function lookAt(act: AnyOperation, visit: Visit, about: string | undefined): Promise<Shown> {
  const { scopes } = await requireOperator(visit.studio.context, visit.caller, 'read');
  const [first] = fieldsOf(act.input);
  const filled = about === undefined || !first ? {} : { [first.name]: [about] };
  return formPage(
    act,
    filled,
    scopes.includes(act.operator!) ? undefined : `Your token lacks the scope ${act.operator}.`,
  );
}

const formPage = (act: AnyOperation, filled: Filled, problem?: string): Page => ({
  ...ofOperators,
  title: adminActionLabel(act),
  heading: html`<h1>${adminActionLabel(act)}</h1>`,
  body: html`<p class="lead quiet read">${act.summary}</p>
${problem ? html`<p class="note bad" role="alert">${problem}</p>` : ''}${actForm(act, filled)}`,
});

async function perform(act: AnyOperation, visit: Visit, form: FormData): Promise<Shown> {
  const filled = Object.fromEntries([...new Set(form.keys())].map((name) => [name, textsOf(form, name)]));
  const refused = (problem: string) => ({ ...formPage(act, filled, problem), status: 400 });
  if (act.isFinal && form.get(SURE) !== 'yes')
    return refused('Nothing was changed. Confirm that this cannot be undone.');
  try {
    const answer = (await ask(visit, act, inputOf(act, form))) as Record<string, unknown>;
    return donePage(act, answer);
  } catch (error) {
    if (error instanceof AtelierError && error.code !== 'operator_required') return refused(error.message);
    throw error;
  }
}

const textsOf = (form: FormData, name: string): readonly string[] =>
  form.getAll(name).filter((value) => typeof value === 'string');

/** A secret is shown only once. */
const donePage = (act: AnyOperation, { note, token, ...more }: Record<string, unknown>): Page => ({
  ...ofOperators,
  title: `${adminActionLabel(act)}: done`,
  files: [...ofOperators.files, 'copy.ts'],
  heading: html`<h1>Done</h1>`,
  body: html`<p class="lead read" role="status">${note ?? `Created ${more.id}.`}</p>
${token ? html`<div class="ticket narrow"><p>This token is shown only once.</p><at-copy><pre tabindex="0">${token}</pre></at-copy></div>` : ''}
<p class="row after-act"><a class="button main" href="/operate">Go to overview</a><a class="button" href="/operate/actions#log">Show audit log</a></p>`,
});

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
type Filled = Readonly<Record<string, readonly string[]>>;

/** Confirms that the operator knows it cannot be undone. */
const SURE = 'sure';

/** Form of an admin action, generated from the input schema of its operation. */
const actForm = (act: AnyOperation, filled: Filled): Html =>
  html`<form class="ticket narrow" method="post">
${fieldsOf(act.input).map((field) => fieldHtml(field, filled[field.name] ?? []))}
${act.isFinal ? html`<label class="check"><input type="checkbox" name="${SURE}" value="yes" required> <span>I understand that this cannot be undone</span></label>` : ''}
<button class="main" name="act" value="${act.name}">${adminActionLabel(act)}</button>
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
function fieldsOf(input: z.ZodObject): readonly Field[] {
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
function inputOf({ input }: AnyOperation, form: FormData): Record<string, unknown> {
  const sent = fieldsOf(input).map(({ name, type }): [string, unknown] => {
    const texts = form.getAll(name).flatMap((value) => (typeof value === 'string' ? value.trim() : []));
    const [text = ''] = texts;
    if (type === 'array') return [name, texts.length > 0 ? texts : undefined];
    if (text === '') return [name, undefined];
    return [name, type === 'number' || type === 'integer' ? Number(text) : text];
  });
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined));
}
