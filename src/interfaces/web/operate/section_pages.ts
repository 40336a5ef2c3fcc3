import { html } from 'hono/html';
import { z } from 'zod';
import type { Html, Page } from '../../../core/html/html_page.ts';
import {
  type ListedDeadLetters as Listed,
  listDeadLetters,
} from '../../../features/operator/routes/dead_letters.ts';
import type { Overview } from '../../../features/operator/routes/overview.ts';
import { showPricing } from '../../../features/operator/routes/pricing.ts';
import { ask } from '../ask.ts';
import { momentLabel } from '../labels.ts';
import { ledger } from '../ledger.ts';
import { type AnyPage, definePage, type Visit } from '../types.ts';
import { actionsPart, postsPart } from './admin_action_sections.ts';
import { adminActionLink, adminActionPath } from './admin_actions.ts';
import { warningList } from './alert_list.ts';
import { asOperator, ofOperators } from './as_operator.ts';
import { OPERATE_PAGES, type OperatePath, sideNav } from './operate_nav.ts';
import {
  backupSection,
  booksSection,
  cpuSection,
  healthSection,
  museumsSection,
  networksSection,
  processesSection,
  queueSection,
  refusalsSection,
  webhooksSection,
} from './overview_sections.ts';
import { liveFetches, liveRefresh, readDailyMetrics, readOverview } from './read_overview.ts';

interface Section {
  readonly path: Exclude<OperatePath, '/operate' | '/operate/wallets'>;
  /** Part of the overview. */
  readonly ofOverview?: (overview: Overview, visit: Visit) => Html;
  /** Anything else. */
  readonly body?: (visit: Visit) => Promise<Html>;
  /** Content changes while something is downloaded. */
  readonly isLive?: true;
}

const titleIn =
  ({ studio: { tools } }: Visit) =>
  (name: string): string =>
    tools.find((tool) => tool.name === name)?.title ?? name;

const SECTIONS: readonly Section[] = [
  { path: '/operate/health', ofOverview: healthSection },
  { path: '/operate/queue', ofOverview: (overview, visit) => queueSection(overview, titleIn(visit)) },
  { path: '/operate/dead_letters', body: deadLettersPart },
  { path: '/operate/servers', ofOverview: (overview, visit) => processesSection(overview, titleIn(visit)) },
  { path: '/operate/museums', ofOverview: museumsSection, isLive: true },
  { path: '/operate/networks', ofOverview: networksSection, isLive: true },
  { path: '/operate/webhooks', ofOverview: webhooksSection },
  { path: '/operate/books', ofOverview: booksSection },
  { path: '/operate/desk', body: deskPart },
  { path: '/operate/backup', ofOverview: backupSection },
  {
    path: '/operate/limits',
    ofOverview: (overview) =>
      html`<section class="first"><h2>CPU time</h2>${cpuSection(overview)}</section><section><h2>Rejected requests</h2>${refusalsSection(overview)}</section>`,
  },
  { path: '/operate/posts', body: postsPart },
  { path: '/operate/actions', body: actionsPart },
  {
    path: '/operate/log',
    body: async (visit) =>
      html`<p class="quiet">Up to 100 warnings and errors since this server started. Rejected requests are listed under <a href="/operate/limits">Limits</a>.</p>${warningList(await readDailyMetrics(visit))}`,
  },
];

/** A page for each part of the state of a server. */
export const sectionPages: readonly AnyPage[] = SECTIONS.map((section) =>
  definePage({
    name: section.path.slice(1).replace('/', '_'),
    path: section.path,
    room: '/operate',
    input: z.object({
      deep: z.enum(['1']).optional().catch(undefined).describe('1: tests every engine.'),
    }),
    show: ({ deep }, anybody) => asOperator(anybody, (visit) => sectionPage(section, visit, deep)),
  }),
);

async function sectionPage(section: Section, visit: Visit, deep: '1' | undefined): Promise<Page> {
  const { path, ofOverview, body, isLive } = section;
  const title = OPERATE_PAGES[path];
  const common = { ...ofOperators, title, heading: html`<h1>${title}</h1>` };
  if (!ofOverview) return { ...common, body: sideNav(path, (await body?.(visit)) ?? html``) };
  const overview = await readOverview(visit, path === '/operate/health' ? deep : undefined);
  const content = ofOverview(overview, visit);
  if (!isLive) return { ...common, body: sideNav(path, content) };
  return {
    ...common,
    files: [...ofOperators.files, 'run.ts'],
    ...liveRefresh(overview),
    body: sideNav(path, liveFetches(overview, content)),
  };
}

/** Price rules, tiers and weights, each with its action. @throws AtelierError operator_required */
async function deskPart(visit: Visit): Promise<Html> {
  const { rules, tiers, weights } = await ask(visit, showPricing);
  return html`${section(
    {
      title: 'Price rules',
      act: 'price',
      label: 'Set price rule',
      none: 'No price rules. Every call costs its list price.',
    },
    ['Rule', ''],
    rules.map(({ name, text }) => [text, adminActionLink('end_price', name, `the price rule ${name}`)]),
  )}<p class="small quiet">If several rules apply, the lowest price counts, rounded up to whole credits. Quoted prices are valid for 5 minutes. Times are UTC.</p>
${section(
  { title: 'Tiers', act: 'tier', label: 'Set tier', none: 'No wallets have a tier.' },
  ['Wallet', 'Tier', 'Since, UTC', ''],
  tiers.map(({ wallet, tier, since }) => [
    html`<a href="/operate/wallets?wallet=${wallet}"><code>${wallet.slice(0, 6)}…${wallet.slice(-4)}</code></a>`,
    tier,
    momentLabel(since),
    adminActionLink('tier', wallet, `of ${wallet}`),
  ]),
)}
${section(
  {
    title: 'Queue weights',
    act: 'weight',
    label: 'Set weight',
    none: 'No weights. All clients have the same share of the queue.',
  },
  ['Wallet or tier', 'Weight', ''],
  weights.map(({ who, weight }) => [
    who.startsWith('0x') ? html`<code>${who.slice(0, 6)}…${who.slice(-4)}</code>` : who,
    String(weight),
    adminActionLink('weight', who, `of ${who}`),
  ]),
)}`;
}

interface Titled {
  readonly title: string;
  readonly act: string;
  readonly label: string;
  readonly none: string;
}

const section = ({ title, act, label, none }: Titled, names: string[], rows: (Html | string)[][]): Html =>
  html`<section><div class="head"><h2>${title}</h2><a href="${adminActionPath(act)}">${label}</a></div>${
    rows.length === 0 ? html`<p class="quiet">${none}</p>` : ledger(names, rows)
  }</section>`;

/** Failed jobs and abandoned deliveries with their actions. @throws AtelierError operator_required */
async function deadLettersPart(visit: Visit): Promise<Html> {
  const { kinds, jobs, deliveries } = await ask(visit, listDeadLetters);
  if (kinds.length === 0) return html`<p class="quiet">No dead letters.</p>${ABOUT}`;
  return html`${kindsSection(kinds)}${jobsSection(visit, jobs)}${deliveriesSection(deliveries)}${ABOUT}`;
}

const ABOUT = html`<p class="small quiet">Jobs that failed because of a server error are listed for 1 day, abandoned webhook deliveries for 2 weeks. A retried job is free for its client. <a href="/docs/operating/dead_letters">About dead letters</a></p>`;

const kindsSection = (kinds: Listed['kinds']): Html =>
  rowsSection(
    'By kind',
    ['Kind', 'Number', 'Newest, UTC', ''],
    kinds.map(({ kind, count, retryable, newest_at: at }) => [
      html`<code>${kind}</code>`,
      retryable === count ? `${count}` : `${count}, ${retryable} with input`,
      momentLabel(at),
      html`${retryable > 0 ? adminActionLink('retry_all', kind, `of the kind ${kind}`) : ''}${adminActionLink('dismiss_all', kind, `of the kind ${kind}`)}`,
    ]),
  );

const jobsSection = ({ studio: { tools } }: Visit, jobs: Listed['jobs']): Html =>
  rowsSection(
    'Jobs',
    ['Job, wallet', 'Failed, UTC', 'Error', ''],
    jobs.map(({ id, tool, code, detail, wallet, attempts, failed_at: at, can_retry: canRetry }) => [
      html`${tools.find(({ name }) => name === tool)?.title ?? tool} ${about(id, wallet)}`,
      html`${momentLabel(at)} <span class="small quiet">${attempts === 1 ? '1 run' : `${attempts} runs`}</span>`,
      html`<span class="clamp small"><code>${code}</code> ${detail}</span>`,
      html`${canRetry ? adminActionLink('retry', id, id) : html`<span class="small quiet">Input not stored</span>`}${adminActionLink('dismiss', id, id)}`,
    ]),
  );

const deliveriesSection = (deliveries: Listed['deliveries']): Html =>
  rowsSection(
    'Webhook deliveries',
    ['Event, wallet', 'Abandoned, UTC', 'Receiver', ''],
    deliveries.map(({ id, type, host, status, error, wallet, attempts, failed_at: at, ...endpoint }) => [
      html`${type} ${about(id, wallet)}`,
      html`${momentLabel(at)} <span class="small quiet">${attempts === 1 ? '1 attempt' : `${attempts} attempts`}</span>`,
      html`<span class="clamp small">${host}${endpoint.endpoint_state === 'disabled' ? ' (disabled)' : ''}: ${status === null ? (error ?? 'not attempted') : `status ${status}`}</span>`,
      html`${adminActionLink('retry', id, id)}${adminActionLink('dismiss', id, id)}`,
    ]),
  );

const about = (id: string, wallet: string | null): Html =>
  html`<span class="small quiet"><code>${id.slice(0, 12)}…</code> ${
    wallet === null
      ? 'no wallet'
      : html`<a href="/operate/wallets?wallet=${wallet}"><code>${wallet.slice(0, 6)}…${wallet.slice(-4)}</code></a>`
  }</span>`;

const rowsSection = (title: string, names: string[], rows: (Html | string)[][]): Html =>
  rows.length === 0
    ? html``
    : html`<section><div class="head"><h2>${title}</h2></div>${ledger(names, rows)}</section>`;
