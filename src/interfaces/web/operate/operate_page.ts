import { html } from 'hono/html';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html, Page } from '../../../core/html/html_page.ts';
import type { DailyMetrics } from '../../../features/operator/routes/history.ts';
import { showLog } from '../../../features/operator/routes/look.ts';
import { ask } from '../ask.ts';
import { creditsLabel } from '../frame.ts';
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
import { sideNav } from './operate_nav.ts';
import { overviewFigures } from './overview_sections.ts';
import { liveFetches, liveRefresh, readDailyMetrics, readOverview, stateSentence } from './read_overview.ts';

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
  const wasSignedIn = token !== undefined && (await studio.context.services.operators.signOut(token));
  return {
    goTo: wasSignedIn ? '/operate?left=1' : '/operate',
    cookie: operatorCookie(undefined, studio.publicUrl),
  };
}

async function overviewPage(visit: Visit): Promise<Page> {
  const [overview, day] = await Promise.all([readOverview(visit), readDailyMetrics(visit)]);
  const { warnings } = day;
  return {
    ...ofOperators,
    title: 'Operate',
    files: [...ofOperators.files, 'run.ts'],
    ...liveRefresh(overview),
    heading: html`<h1 class="verdict">${stateSentence(overview, day)}</h1>`,
    body: sideNav(
      '/operate',
      html`${liveFetches(overview, overviewFigures(overview))}
${day.alerts.length > 0 ? html`${alertList(day)}${dayGraphs(day)}` : html`${dayGraphs(day)}${alertList(day)}`}
<section id="warnings"><div class="head"><h2>Recent warnings</h2>${warnings.length > WARNINGS_SHOWN ? html`<a href="/operate/log">Show all ${warnings.length}</a>` : ''}</div>${warningList(day, WARNINGS_SHOWN)}</section>
<form method="post" class="after"><button name="act" value="leave">Sign out</button></form>`,
    ),
  };
}

type Point = DailyMetrics['points'][number];

interface Graph {
  readonly name: string;
  /** What a bar shows, for screen readers. */
  readonly unit: string;
  /** Of one interval; null: no value. */
  value(point: Point): number | null;
  /** The large figure. */
  total(points: readonly Point[]): string;
  label(value: number): string;
}

const HEIGHT = 40;
const whole = (value: number): string => Math.round(value).toLocaleString('en');
const sum = (points: readonly Point[], field: 'requests' | 'failed' | 'credits'): number =>
  points.reduce((all, point) => all + point[field], 0);
const most = (values: readonly (number | null)[]): number =>
  Math.max(0, ...values.map((value) => value ?? 0));

/** "40 ms", "1.2 s" */
const msLabel = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

const GRAPHS: readonly Graph[] = [
  {
    name: 'Requests',
    unit: 'requests in 15 minutes',
    value: ({ requests }) => requests,
    total: (points) => whole(sum(points, 'requests')),
    label: whole,
  },
  {
    name: 'Failed requests',
    unit: 'failed requests in 15 minutes',
    value: ({ failed }) => failed,
    total: (points) => whole(sum(points, 'failed')),
    label: whole,
  },
  {
    name: 'Response time, 95th percentile',
    unit: 'response time',
    value: ({ p95_ms: ms }) => ms,
    total(points) {
      const last = points.findLast(({ p95_ms: ms }) => ms !== null)?.p95_ms;
      return last === undefined || last === null ? 'no requests' : msLabel(last);
    },
    label: msLabel,
  },
  {
    name: 'Queued jobs',
    unit: 'queued jobs',
    value: ({ queued }) => queued,
    total: (points) => whole(points.at(-1)?.queued ?? 0),
    label: whole,
  },
  {
    name: 'Charged',
    unit: 'credits in 15 minutes',
    value: ({ credits }) => credits,
    total: (points) => creditsLabel(Math.round(sum(points, 'credits') * 1000) / 1000),
    label: (value) => creditsLabel(Math.round(value * 1000) / 1000),
  },
];

/** The last 24 hours of all servers, a bar for each interval. */
const dayGraphs = ({ points }: Pick<DailyMetrics, 'points'>): Html =>
  html`<section aria-labelledby="day"><div class="head"><h2 id="day">Last 24 hours</h2><p class="small quiet">All servers, in steps of 15 minutes, UTC. <a href="/api/operator/history">JSON</a></p></div>
<div class="graphs">${GRAPHS.map((graph) => figure(graph, points))}</div></section>`;

function figure({ name, unit, value, total, label }: Graph, points: readonly Point[]): Html {
  const values = points.map(value);
  const top = most(values);
  const peak = points[values.indexOf(top)];
  const peakText = top > 0 && peak ? `Peak ${label(top)} at ${timeOf(peak.at)}` : 'None';
  return html`<figure class="graph"><figcaption><span class="quiet small">${name}</span><b>${total(points)}</b><span class="small quiet">${peakText}</span></figcaption>
<svg viewBox="0 0 ${points.length} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${name}, ${unit}, last 24 hours. ${total(points)}. ${peakText}."><path d="${bars(values, top)}"/></svg>
<p class="axis small quiet" aria-hidden="true">${axis(points).map((text) => html`<span>${text}</span>`)}</p></figure>`;
}

/** One path for all bars; a value above 0 is at least half a unit high, so that it can be seen. */
const bars = (values: readonly (number | null)[], top: number): string =>
  values
    .map((value, at) => {
      if (!value) return '';
      const height = Math.max(0.5, (value / top) * HEIGHT);
      return `M${at + 0.1} ${HEIGHT}V${round(HEIGHT - height)}h.8V${HEIGHT}z`;
    })
    .join('');

const round = (value: number): number => Math.round(value * 100) / 100;
const timeOf = (at: string): string => at.slice(11, 16);

/** Times at equal distances, the last one now. */
const axis = (points: readonly Point[]): readonly string[] =>
  points.length === 0
    ? []
    : [...[0, 0.25, 0.5, 0.75].map((part) => timeOf(points[Math.floor(part * points.length)]!.at)), 'now'];
