import { html } from 'hono/html';
import type { Overview } from '../../operations/operator/overview.ts';
import type { Html } from '../../pages/html_page.ts';
import type { AnyTool } from '../../tools/tool.ts';
import { bytesLabel } from '../bytes_label.ts';
import { ledger } from '../ledger.ts';
import { momentLabel } from '../moment_label.ts';

const whole = (count: number): string => Math.round(count).toLocaleString('en');

/** Six figures an operator looks at first. */
export function overviewFigures({ health, museums, books, webhooks, queue, refusals }: Overview): Html {
  const oldest = Math.max(0, ...Object.values(health.jobs ?? {}).map(({ oldest_s: seconds }) => seconds));
  const shown: readonly [string, string][] = [
    ['longest wait', queue.length > 0 ? `${oldest} s` : 'no wait'],
    ['works in the collection', whole(museums.reduce((sum, { works }) => sum + works, 0))],
    ['credits outstanding', whole(books.outstanding)],
    ['the books', books.balanced ? 'balanced' : 'do not balance'],
    ['deliveries pending', whole(webhooks.pending)],
    ['refused lately', whole(refusals.length)],
  ];
  return html`<dl class="figures">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** What runs: queue, workers, engines, museums, webhooks, books, refusals. */
export function overviewSections(overview: Overview, tools: readonly AnyTool[]): Html {
  const titleOf: TitleOf = (name) => tools.find((tool) => tool.name === name)?.title ?? name;
  return html`${[
    queueSection(overview, titleOf),
    processesSection(overview, titleOf),
    networksSection(overview),
    museumsSection(overview),
    webhooksSection(overview),
    booksSection(overview),
    refusalsSection(overview),
  ]}`;
}

type TitleOf = (tool: string) => string;

const queueSection = (overview: Overview, titleOf: TitleOf): Html =>
  section(
    'Queue',
    'No jobs.',
    ['Tool', 'Works', 'Waits', 'Longest wait'],
    overview.queue.map(({ tool, running, queued }) => [
      titleOf(tool),
      running,
      queued,
      waitOf(overview, tool),
    ]),
  );

const processesSection = ({ servers, takers }: Overview, titleOf: TitleOf): Html =>
  section(
    'Servers and workers',
    'This process alone, on the embedded database.',
    ['Process', 'Takes', 'Places', 'Last seen'],
    [
      ...servers.map(({ host, pid, seen_at: at }) => [`${host}, ${pid}`, 'requests', '', momentLabel(at)]),
      ...takers.map(({ tools, places, seen_at: at }) => [
        'worker',
        tools === null ? 'jobs of every tool' : tools.map(titleOf).join(', '),
        places,
        momentLabel(at),
      ]),
    ],
  );

const networksSection = ({ models }: Overview): Html =>
  section(
    'Networks',
    'None are known.',
    ['Network', 'Size', 'State', 'To fetch it'],
    models.map(({ name, bytes, installed, can_be_fetched: canBeFetched }) => [
      name,
      bytes === null ? '' : bytesLabel(bytes),
      installed ? html`<span class="good">ready</span>` : html`<span class="quiet">absent</span>`,
      !installed && canBeFetched ? html`<code>npx atelier models pull ${name}</code>` : '',
    ]),
  );

const museumsSection = ({ museums }: Overview): Html =>
  section(
    'Museums',
    'The collection is empty.',
    ['Museum', 'Works', 'State', 'To fill it'],
    museums.map(({ museum, works, whole: isWhole }) => [
      museum,
      whole(works),
      isWhole
        ? html`<span class="good">whole file read</span>`
        : html`<span class="quiet">starter catalogue</span>`,
      isWhole ? '' : html`<code>npx atelier dataset pull ${museum}</code>`,
    ]),
  );

const webhooksSection = ({ webhooks }: Overview): Html =>
  section(
    'Webhooks',
    `${webhooks.active} active, nothing delivered yet.`,
    ['Event', 'To', 'State', 'When, UTC'],
    webhooks.deliveries.map(({ type, endpoint, state, attempts, at }) => [
      type,
      endpoint,
      `${state}${attempts > 1 ? `, ${attempts} attempts` : ''}`,
      momentLabel(at),
    ]),
  );

const booksSection = ({ books }: Overview): Html =>
  html`${section(
    'Books',
    'Not checked yet.',
    ['Checked, UTC', 'Wallets', 'Held', 'Spent, refunded'],
    [[momentLabel(books.checked_at), whole(books.wallets), books.held, `${books.spent}, ${books.refunded}`]],
  )}${books.problems.map((problem) => html`<p class="bad">${problem}</p>`)}`;

const refusalsSection = ({ refusals }: Overview): Html =>
  section(
    'Refused',
    'Nothing since this server started.',
    ['What', 'About', 'From', 'When, UTC'],
    refusals.map(({ code, status, about, address, at }) => [
      `${code}, ${status}`,
      about,
      address,
      momentLabel(at),
    ]),
  );

const waitOf = ({ health }: Overview, tool: string): string => {
  const waiting = health.jobs?.[tool];
  return waiting ? `${waiting.oldest_s} s` : '';
};

const section = (
  title: string,
  empty: string,
  heads: readonly string[],
  rows: Parameters<typeof ledger>[1],
): Html =>
  html`<section><h2>${title}</h2>${rows.length > 0 ? ledger(heads, rows) : html`<p class="quiet">${empty}</p>`}</section>`;
