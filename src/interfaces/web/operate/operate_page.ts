import { html } from 'hono/html';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Page } from '../../../core/html/html_page.ts';
import { showLog } from '../../../features/operator/routes/look.ts';
import { ask } from '../ask.ts';
import { definePage, type Shown, type Visit } from '../types.ts';
import { alertList, warningList } from './alert_list.ts';
import {
  asOperator,
  OPERATE_FORM,
  ofOperators,
  operatorCookie,
  operatorTokenIn,
  signedOutPage,
  signInPage,
} from './as_operator.ts';
import { askDay, askOverview, liveFetches, liveRefresh } from './ask_overview.ts';
import { dayGraphs } from './day_graphs.ts';
import { besideNav } from './operate_nav.ts';
import { overviewFigures } from './overview_sections.ts';
import { stateSentence } from './state_sentence.ts';

const WARNINGS_SHOWN = 5;

/** Overview for operators; each part of the state has its own page. */
export const operatePage = definePage({
  name: 'operate',
  path: '/operate',
  room: '/operate',
  input: z.object({
    left: z.enum(['1']).optional().catch(undefined).describe('1: the operator has just signed out.'),
  }),
  form: OPERATE_FORM,
  show: async ({ left }, anybody) => {
    const act = anybody.form?.get('act');
    if (act === 'enter') return enter(anybody, String(anybody.form?.get('token') ?? '').trim());
    if (act === 'leave') return leave(anybody);
    if (left && operatorTokenIn(anybody.call.header('cookie')) === undefined) return signedOutPage(anybody);
    return asOperator(anybody, overviewPage);
  },
});

/** Checks the token, so that an invalid one is rejected on the sign-in page. */
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

async function overviewPage(visit: Visit): Promise<Page> {
  const [overview, day] = await Promise.all([askOverview(visit), askDay(visit)]);
  const { warnings } = day;
  return {
    ...ofOperators,
    title: 'Operate',
    files: [...ofOperators.files, 'run.ts'],
    ...liveRefresh(overview),
    heading: html`<h1 class="verdict">${stateSentence(overview, day)}</h1>`,
    body: besideNav(
      '/operate',
      html`${liveFetches(overview, overviewFigures(overview))}
${day.alerts.length > 0 ? html`${alertList(day)}${dayGraphs(day)}` : html`${dayGraphs(day)}${alertList(day)}`}
<section id="warnings"><div class="head"><h2>Recent warnings</h2>${warnings.length > WARNINGS_SHOWN ? html`<a href="/operate/log">Show all ${warnings.length}</a>` : ''}</div>${warningList(day, WARNINGS_SHOWN)}</section>
<form method="post" class="after"><button name="act" value="leave">Sign out</button></form>`,
    ),
  };
}
