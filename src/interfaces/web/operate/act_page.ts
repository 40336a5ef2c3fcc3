import { html } from 'hono/html';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Page } from '../../../core/html/html_page.ts';
import type { AnyOperation } from '../../../features/definitions/operation.ts';
import { requireOperator } from '../../../pipeline/authenticate.ts';
import { ask } from '../ask.ts';
import { definePage, type Shown, type Visit } from '../types.ts';
import { actForm, type Filled, fieldsOf, inputOf, SURE } from './act_form.ts';
import { actLabel, actNamed } from './acts.ts';
import { asOperator, OPERATE_FORM, ofOperators } from './as_operator.ts';

/** An admin action: description, form and outcome. */
export const actPage = definePage({
  name: 'operate_act',
  path: '/operate/acts/{act}',
  room: '/operate',
  input: z.object({
    act: z.string().max(40),
    about: z.string().max(300).optional().describe('Target of the action, to fill in.'),
  }),
  form: OPERATE_FORM,
  show: async ({ act: name, about }, anybody) => {
    const act = actNamed(name);
    if (!act) throw new AtelierError('not_found', 'Unknown action. See /operate/actions for all actions.');
    return asOperator(anybody, (visit) =>
      visit.form ? perform(act, visit, visit.form) : lookAt(act, visit, about),
    );
  },
});

/** Reports a missing permission before the form is filled in. */
async function lookAt(act: AnyOperation, visit: Visit, about: string | undefined): Promise<Shown> {
  const { scopes } = await requireOperator(visit.studio.kit, visit.caller, 'read');
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
  title: actLabel(act),
  heading: html`<h1>${actLabel(act)}</h1>`,
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
  title: `${actLabel(act)}: done`,
  files: [...ofOperators.files, 'copy.ts'],
  heading: html`<h1>Done</h1>`,
  body: html`<p class="lead read" role="status">${note ?? `Created ${more.id}.`}</p>
${token ? html`<div class="ticket narrow"><p>This token is shown only once.</p><at-copy><pre tabindex="0">${token}</pre></at-copy></div>` : ''}
<p class="row after-act"><a class="button main" href="/operate">Go to overview</a><a class="button" href="/operate/actions#log">Show audit log</a></p>`,
});
