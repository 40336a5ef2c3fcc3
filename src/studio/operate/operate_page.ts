import { html } from 'hono/html';
import { AtelierError } from '../../errors/atelier_error.ts';
import { listEntries, showLog } from '../../operations/operator/look.ts';
import type { Overview } from '../../operations/operator/overview.ts';
import type { Html, Page } from '../../pages/html_page.ts';
import { ask } from '../ask.ts';
import { definePage, type Shown, type Visit } from '../contract.ts';
import { ledger } from '../ledger.ts';
import { momentLabel } from '../moment_label.ts';
import { noInput } from '../no_input.ts';
import { ACTS, actForms, inputOf } from './act_forms.ts';
import { operatorCookie, operatorTokenIn } from './operator_cookie.ts';
import { overviewFigures, overviewSections } from './overview_sections.ts';
import { stateSentence } from './state_sentence.ts';

/** How this server is and what can be done about it, for whoever has an operator's token. */
export const operatePage = definePage({
  name: 'operate',
  path: '/operate',
  room: '/operate',
  input: noInput,
  form: {
    bytesMax: 64 * 1024,
    limit: { name: 'operate-page', calls: 600, perSeconds: 600, by: 'address' },
  },
  show: async (_input, anybody) => {
    const { form, call } = anybody;
    const act = form?.get('act');
    if (act === 'enter') return enter(anybody, String(form?.get('token') ?? '').trim());
    const token = operatorTokenIn(call.header('cookie'));
    if (act === 'leave' || token === undefined) return signedOut(anybody, act === 'leave');
    const visit = { ...anybody, caller: { ...anybody.caller, bearer: token } };
    try {
      const said = form ? await perform(visit, form) : undefined;
      return await overviewPage(visit, said);
    } catch (error) {
      if (!(error instanceof AtelierError)) throw error;
      return signInPage(error.message);
    }
  },
});

/** Looks once whether the token holds, so that a wrong one is refused where it was typed. */
async function enter(visit: Visit, token: string): Promise<Shown> {
  try {
    await ask({ ...visit, caller: { ...visit.caller, bearer: token } }, showLog, { limit: 1 });
  } catch (error) {
    if (error instanceof AtelierError) return signInPage(error.message);
    throw error;
  }
  return { goTo: '/operate', cookies: [operatorCookie(token, visit.studio.publicUrl)] };
}

const signedOut = ({ studio }: Visit, isLeaving: boolean): Shown =>
  isLeaving ? { goTo: '/operate', cookies: [operatorCookie(undefined, studio.publicUrl)] } : signInPage();

const common = {
  title: 'Operate',
  shape: 'wide' as const,
  files: ['studio.css', 'operate.css'] as const,
  policy: { 'form-action': "'self'" },
};

const signInPage = (problem?: string): Page => ({
  ...common,
  ...(problem && { status: 403 }),
  heading: html`<h1>For the operator of this server</h1>`,
  body: html`${problem ? html`<p class="note bad" role="alert">${problem}</p>` : ''}
<form class="ticket narrow" method="post"><label><span>Token</span><input name="token" type="password" required placeholder="atl_op_…" autocomplete="off"></label>
<button class="main" name="act" value="enter">Look in</button>
<p class="small quiet">On the machine of the server, <code>npx atelier admin token &lt;name&gt; &lt;reason&gt;</code> makes one. <a href="/docs/operating/operators">Operators</a></p></form>`,
});

interface Said {
  readonly text: string;
  readonly isWrong: boolean;
}

/** Does one act and says what came of it; a refusal is said, and everything else is shown as it is. */
async function perform(visit: Visit, form: FormData): Promise<Said> {
  const act = ACTS.find(({ name }) => name === form.get('act'));
  if (!act)
    return { text: 'The form is of another version of this page. Load the page again.', isWrong: true };
  try {
    const { note, ...answer } = await ask(visit, act, inputOf(act, form));
    return { text: typeof note === 'string' ? note : `Done: ${JSON.stringify(answer)}`, isWrong: false };
  } catch (error) {
    if (error instanceof AtelierError && error.code !== 'operator_required')
      return { text: error.message, isWrong: true };
    throw error;
  }
}

async function overviewPage(visit: Visit, said: Said | undefined): Promise<Page> {
  const { tools, operations } = visit.studio;
  const look = operations.find(({ name }) => name === 'operator_overview')!;
  const [overview, { entries }, { acts }] = await Promise.all([
    ask(visit, look) as Promise<Overview>,
    askEntries(visit),
    ask(visit, showLog, { limit: 20 }),
  ]);
  return {
    ...common,
    ...(said?.isWrong && { status: 400 }),
    heading: html`<h1 class="verdict">${stateSentence(overview)}</h1>`,
    body: html`${said ? html`<p class="note${said.isWrong ? ' bad' : ''}" role="${said.isWrong ? 'alert' : 'status'}">${said.text}</p>` : ''}
${overviewFigures(overview)}
${overviewSections(overview, tools)}
${actForms()}
${postsSection(entries)}
<section><h2>Done by operators</h2>${
      acts.length > 0
        ? ledger(
            ['What', 'To', 'Who, and why', 'When, UTC'],
            acts.map(({ act, about, who, why, at }) => [act, about, `${who}: ${why}`, momentLabel(at)]),
          )
        : html`<p class="quiet">Nothing yet.</p>`
    }</section>
<form method="post" class="after"><button name="act" value="leave">Leave</button></form>`,
  };
}

type Entries = Awaited<ReturnType<typeof askEntries>>['entries'];

const askEntries = (visit: Visit) => ask(visit, listEntries);

const postsSection = (entries: Entries): Html =>
  html`<section><h2>Posts</h2>${
    entries.length === 0
      ? html`<p class="quiet">Nobody has posted yet.</p>`
      : ledger(
          ['By', 'Text', 'State', 'Id'],
          entries.map(({ id, board, name, text, hidden_at: hidden }) => [
            `${name}, ${board}`,
            text,
            hidden ? 'hidden' : 'shown',
            html`<code>${id}</code>`,
          ]),
        )
  }</section>`;
