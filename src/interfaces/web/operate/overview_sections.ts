import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import type { Overview } from '../../../features/operator/routes/overview.ts';
import { ageLabel } from '../age_label.ts';
import { bytesLabel } from '../bytes_label.ts';
import { ledger } from '../ledger.ts';
import { momentLabel } from '../moment_label.ts';
import { actLink } from './act_link.ts';

type Fetch = Overview['fetches'][number];

const isLive = ({ state }: Fetch): boolean => state === 'waiting' || state === 'running';

/** How far a fetch is, or why it has not come; undefined where there is nothing to say of it. */
function fetchState(fetch: Fetch | undefined): Html | undefined {
  if (!fetch || fetch.state === 'done') return undefined;
  const { name, fraction, said, state } = fetch;
  if (state === 'failed') return html`<span class="bad">failed</span> <span class="small">${said}</span>`;
  if (state === 'stopped') return html`<span class="quiet">stopped</span>`;
  if (state === 'waiting') return html`<span class="quiet">waits for a server</span>`;
  return html`<progress max="1" value="${fraction}" aria-label="${name}">${Math.round(fraction * 100)} %</progress><span class="small quiet">${said}</span>`;
}

interface Known {
  readonly fetch: Fetch | undefined;
  readonly canBeFetched: boolean;
}

/** What can be done about it: begin, or end it. */
function fetchAct(name: string, { fetch, canBeFetched }: Known): Html | string {
  if (fetch && isLive(fetch))
    return fetch.unwanted ? 'stops' : actLink('end', `fetch_${name}`, `fetching ${name}`);
  return canBeFetched ? actLink('fetch', name, name) : '';
}

const whole = (count: number): string => Math.round(count).toLocaleString('en');

/** Six figures an operator looks at first. */
export function overviewFigures({ health, museums, books, webhooks, queue, backup }: Overview): Html {
  const oldest = Math.max(0, ...Object.values(health.jobs ?? {}).map(({ oldest_s: seconds }) => seconds));
  const shown: readonly [string, string][] = [
    ['longest wait', queue.length > 0 ? `${oldest} s` : 'no wait'],
    ['works in the collection', whole(museums.reduce((sum, { works }) => sum + works, 0))],
    ['credits outstanding', whole(books.outstanding)],
    ['the books', books.balanced ? 'balanced' : 'do not balance'],
    ['deliveries pending', whole(webhooks.pending)],
    ['since the last backup', backup ? ageLabel(backup.made_at) : 'never'],
  ];
  return html`<dl class="figures">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** What runs: health, queue, workers, museums, networks, webhooks, books, backup, CPU time, refusals. */
export function overviewSections(overview: Overview, tools: readonly AnyTool[]): Html {
  const titleOf: TitleOf = (name) => tools.find((tool) => tool.name === name)?.title ?? name;
  return html`<nav class="chips" aria-label="On this page">${PLACES.map(
    ([id, name]) => html`<a href="#${id}">${name}</a>`,
  )}</nav>
${[
  healthSection(overview),
  queueSection(overview, titleOf),
  processesSection(overview, titleOf),
  museumsSection(overview),
  networksSection(overview),
  webhooksSection(overview),
  booksSection(overview),
  backupSection(overview),
  cpuSection(overview),
  refusalsSection(overview),
]}`;
}

const PLACES = [
  ['health', 'Health'],
  ['queue', 'Queue'],
  ['processes', 'Servers'],
  ['museums', 'Museums'],
  ['networks', 'Networks'],
  ['webhooks', 'Webhooks'],
  ['books', 'Books'],
  ['backup', 'Backup'],
  ['cpu', 'CPU time'],
  ['refused', 'Refused'],
  ['posts', 'Posts'],
  ['wallets', 'Wallets'],
  ['acts', 'By hand'],
  ['log', 'Log'],
] as const;

type TitleOf = (tool: string) => string;

const healthSection = ({ health, engines }: Overview): Html =>
  html`<section id="health"><div class="head"><h2>Health</h2><p class="small quiet">Version ${health.version}, up for ${ageLabel(new Date(Date.parse(health.time) - health.uptime_s * 1000).toISOString())}${
    health.maintenance ? `; maintenance since ${momentLabel(health.maintenance.since)}` : ''
  }.</p></div>
<dl class="slug">${Object.entries(health.checks).map(
    ([name, state]) => html`<div><dt>${name}</dt><dd>${stateCell(state)}</dd></div>`,
  )}</dl>
${
  engines
    ? ledger(
        ['Engine', 'Took', 'State'],
        Object.entries(engines).map(([name, { state, ms, reason }]) => [
          name,
          `${ms} ms`,
          html`${stateCell(state)}${reason ? ` ${reason}` : ''}`,
        ]),
      )
    : html`<p class="row after-act"><a class="button" href="/operate?deep=1#health">Try every engine</a><span class="small quiet">A small picture goes through each; it takes some seconds.</span></p>`
}</section>`;

const TONES = { ok: 'good', failed: 'bad', busy: 'warn' } as const;
const stateCell = (state: keyof typeof TONES): Html => html`<span class="${TONES[state]}">${state}</span>`;

const queueSection = (overview: Overview, titleOf: TitleOf): Html =>
  html`${section(
    'queue',
    'Queue',
    'No jobs.',
    ['Tool', 'Works', 'Waits', 'Longest wait'],
    overview.queue.map(({ tool, running, queued }) => [
      titleOf(tool),
      `${running} at work`,
      `${queued} waiting`,
      waitOf(overview, tool),
    ]),
  )}${
    overview.jobs.length === 0
      ? ''
      : ledger(
          ['Job', 'For', 'State', 'Since, UTC', ''],
          overview.jobs.map(({ id, tool, wallet, state, accepted_at: at }) => [
            titleOf(tool),
            wallet
              ? html`<a href="/operate/wallets?wallet=${wallet}">${shortWallet(wallet)}</a>`
              : 'no account',
            state,
            momentLabel(at),
            actLink('end', id, `the job of ${titleOf(tool)}`),
          ]),
        )
  }`;

const shortWallet = (wallet: string): string => `${wallet.slice(0, 6)}…${wallet.slice(-4)}`;

const processesSection = ({ servers, takers }: Overview, titleOf: TitleOf): Html =>
  section(
    'processes',
    'Servers and workers',
    'This process alone, on the embedded database.',
    ['Process', 'Takes', 'Places', 'Last seen'],
    [
      ...servers.map(({ host, pid, seen_at: at }) => [`${host}, ${pid}`, 'requests', '', momentLabel(at)]),
      ...takers.map(({ tools, places, seen_at: at }) => [
        'worker',
        tools === null ? 'jobs of every tool' : tools.map(titleOf).join(', '),
        `${places} places`,
        momentLabel(at),
      ]),
    ],
  );

const museumsSection = ({ museums, fetches }: Overview): Html =>
  section(
    'museums',
    'Museums',
    'The collection is empty.',
    ['Museum', 'Works', 'State', 'Read, UTC', ''],
    museums.map(({ museum, title, works, whole: isWhole, read_at: at, can_be_fetched: canBeFetched }) => {
      const fetch = fetches.find(({ name }) => name === museum);
      return [
        title,
        whole(works),
        fetchState(fetch) ??
          (isWhole
            ? html`<span class="good">whole file read</span>`
            : html`<span class="quiet">starter catalogue</span>`),
        at ? momentLabel(at) : '',
        fetchAct(museum, { fetch, canBeFetched }),
      ];
    }),
  );

/** How a network is that this server fetches in its background; undefined where it does not. */
function backgroundState(name: string, { health }: Overview): Html | undefined {
  const state = health.fetching?.[name];
  const fraction = health.fetching_progress?.[name] ?? 0;
  if (state === 'running')
    return html`<progress max="1" value="${fraction}" aria-label="${name}">${Math.round(fraction * 100)} %</progress><span class="small quiet">fetched in the background</span>`;
  if (state === 'failed')
    return html`<span class="bad">failed</span> <span class="small">retried later</span>`;
  return state === 'waiting' ? html`<span class="quiet">queued</span>` : undefined;
}

const networksSection = (overview: Overview): Html =>
  section(
    'networks',
    'Networks',
    'None are known.',
    ['Network', 'Size', 'State', ''],
    overview.models.map(({ name, bytes, installed, can_be_fetched: isPublished }) => {
      const fetch = overview.fetches.find((one) => one.name === name);
      return [
        name,
        bytes === null ? '' : bytesLabel(bytes),
        installed
          ? html`<span class="good">ready</span>`
          : (fetchState(fetch) ?? backgroundState(name, overview) ?? html`<span class="quiet">absent</span>`),
        fetchAct(name, { fetch, canBeFetched: isPublished && !installed }),
      ];
    }),
  );

const webhooksSection = ({ webhooks }: Overview): Html =>
  section(
    'webhooks',
    'Webhooks',
    `${webhooks.active} active, nothing delivered yet.`,
    ['Event', 'To', 'State', 'When, UTC', ''],
    webhooks.deliveries.map(({ type, endpoint, state, attempts, at }) => [
      type,
      endpoint,
      `${state}${attempts > 1 ? `, ${attempts} attempts` : ''}`,
      momentLabel(at),
      actLink('end', endpoint, `the webhook ${endpoint}`),
    ]),
  );

const booksSection = ({ books }: Overview): Html =>
  html`${section(
    'books',
    'Books',
    'Not checked yet.',
    ['Checked, UTC', 'Wallets', 'Held', 'Spent, refunded'],
    [
      [
        momentLabel(books.checked_at),
        `${whole(books.wallets)} wallets`,
        `${books.held} held`,
        `${books.spent} spent, ${books.refunded} refunded`,
      ],
    ],
  )}${books.problems.map((problem) => html`<p class="bad">${problem}</p>`)}`;

const backupSection = ({ backup, damaged_files: damaged }: Overview): Html =>
  html`${section(
    'backup',
    'Backup',
    'None was made of this database.',
    ['Last backup', 'In', 'Size', 'New in it', 'State'],
    backup
      ? [
          [
            html`${momentLabel(backup.made_at)} UTC <span class="small quiet">${ageLabel(backup.made_at)} ago</span>`,
            html`<code>${backup.folder}</code>`,
            bytesLabel(backup.bytes),
            bytesLabel(backup.added_bytes),
            backup.damaged > 0
              ? html`<span class="bad">${backup.damaged} blobs damaged</span>`
              : html`<span class="good">whole when made</span>`,
          ],
        ]
      : [],
  )}<p class="small quiet">On the machine of the server, <code>npx atelier backup ${backup?.folder ?? '<folder>'}</code> makes one while it serves. With <code>--check</code> it reads the newest back and compares every checksum; this page does not know when that was done. <a href="/docs/operating/backup">Backups</a></p>${
    damaged.length > 0 &&
    html`<p class="bad">${damaged.length} stored files are damaged or missing. Restore them from a backup: <a href="/docs/operating/backup">Backups</a></p>`
  }`;

const cpuSection = ({ cpu }: Overview): Html =>
  section(
    'cpu',
    'CPU time',
    'No address has used CPU time that is not refilled yet.',
    ['Who', 'Counted for', 'CPU-seconds used', 'Refused for'],
    cpu.map(({ name, scope, used_s: used, wait_s: wait }) => [
      name,
      scope,
      String(used),
      wait > 0 ? `${Math.ceil(wait)} s` : '',
    ]),
  );

const refusalsSection = ({ refusals }: Overview): Html =>
  section(
    'refused',
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
  id: string,
  title: string,
  empty: string,
  heads: readonly string[],
  rows: Parameters<typeof ledger>[1],
): Html =>
  html`<section id="${id}"><h2>${title}</h2>${rows.length > 0 ? ledger(heads, rows) : html`<p class="quiet">${empty}</p>`}</section>`;
