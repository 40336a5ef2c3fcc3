import { html } from 'hono/html';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Page } from '../../../core/html/html_page.ts';
import { showLog } from '../../../features/operator/routes/look.ts';
import type { Overview } from '../../../features/operator/routes/overview.ts';
import { ask } from '../ask.ts';
import { definePage, type Shown, type Visit } from '../types.ts';
import {
  asOperator,
  FETCHING_REFRESH_SECONDS,
  OPERATE_FORM,
  ofOperators,
  operatorCookie,
  operatorTokenIn,
  signedOutPage,
  signInPage,
} from './as_operator.ts';
import { byHandSections } from './by_hand_sections.ts';
import { overviewFigures, overviewSections } from './overview_sections.ts';
import { fetchSentence, stateSentence } from './state_sentence.ts';

/** State of this server and the operator's actions, for holders of an operator token. */
export const operatePage = definePage({
  name: 'operate',
  path: '/operate',
  room: '/operate',
  input: z.object({
    deep: z.enum(['0', '1']).optional().describe('1: every engine is tried.'),
    left: z.enum(['1']).optional().catch(undefined).describe('1: a sign-in was ended here.'),
  }),
  form: OPERATE_FORM,
  show: async ({ deep, left }, anybody) => {
    const act = anybody.form?.get('act');
    if (act === 'enter') return enter(anybody, String(anybody.form?.get('token') ?? '').trim());
    if (act === 'leave') return leave(anybody);
    if (left && operatorTokenIn(anybody.call.header('cookie')) === undefined) return signedOutPage(anybody);
    return asOperator(anybody, (visit) => overviewPage(visit, deep));
  },
});

/** Looks once whether the token holds, so that a wrong one is refused where it was typed. */
async function enter(visit: Visit, token: string): Promise<Shown> {
  try {
    await ask({ ...visit, caller: { ...visit.caller, bearer: token } }, showLog, { limit: 1 });
  } catch (error) {
    if (error instanceof AtelierError) return signInPage(visit, error.message);
    throw error;
  }
  return { goTo: '/operate', cookie: operatorCookie(token, visit.studio.publicUrl) };
}

async function leave({ studio, call }: Visit): Promise<Shown> {
  const token = operatorTokenIn(call.header('cookie'));
  const wasSignedIn = token !== undefined && (await studio.kit.services.operators.signOut(token));
  return {
    goTo: wasSignedIn ? '/operate?left=1' : '/operate',
    cookie: operatorCookie(undefined, studio.publicUrl),
  };
}

async function overviewPage(visit: Visit, deep: '0' | '1' | undefined): Promise<Page> {
  const { tools, operations } = visit.studio;
  const look = operations.find(({ name }) => name === 'operator_overview')!;
  const [overview, byHand] = await Promise.all([
    ask(visit, look, deep ? { deep } : {}) as Promise<Overview>,
    byHandSections(visit),
  ]);
  const isFetching = overview.fetches.some(({ state }) => state === 'waiting' || state === 'running');
  return {
    ...ofOperators,
    title: 'Operate',
    files: [...ofOperators.files, 'run.ts'],
    ...(isFetching && { refreshSeconds: FETCHING_REFRESH_SECONDS }),
    heading: html`<h1 class="verdict">${stateSentence(overview)}</h1>`,
    body: html`<at-run><p class="small quiet" role="status" aria-live="polite">${fetchSentence(overview)}</p>
<div id="shown"${isFetching ? html` data-live` : ''}>${overviewFigures(overview)}
${overviewSections(overview, tools)}</div></at-run>
${byHand}
<form method="post" class="after"><button name="act" value="leave">Sign out</button></form>`,
  };
}
