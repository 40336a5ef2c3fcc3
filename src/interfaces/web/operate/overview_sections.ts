import { html } from 'hono/html';
import { ownCommand } from '../../../config/config.ts';
import { shellWord } from '../../../config/shell_word.ts';
import type { Html } from '../../../core/html/html_page.ts';
import type { Overview } from '../../../features/operator/routes/overview.ts';
import { ageLabel, bytesLabel, momentLabel } from '../labels.ts';
import { ledger } from '../ledger.ts';
import { adminActionLink } from './admin_actions.ts';

type Fetch = Overview['fetches'][number];
type TitleOf = (tool: string) => string;

const isLive = ({ state }: Fetch): boolean => state === 'waiting' || state === 'running';

/** Progress or failure of a download; undefined once it is done. */
function fetchState(fetch: Fetch | undefined): Html | undefined {
  if (!fetch || fetch.state === 'done') return undefined;
  const { name, fraction, said, state } = fetch;
  if (state === 'failed') return html`<span class="bad">failed</span> <span class="small">${said}</span>`;
  if (state === 'stopped') return html`<span class="quiet">stopped</span>`;
  if (state === 'waiting') return html`<span class="quiet">queued</span>`;
  return html`<progress max="1" value="${fraction}" aria-label="${name}">${Math.round(fraction * 100)}%</progress><span class="small quiet">${said}</span>`;
}

interface Known {
  readonly fetch: Fetch | undefined;
  readonly canBeFetched: boolean;
}

/** Link to start or stop the download. */
function fetchAct(name: string, { fetch, canBeFetched }: Known): Html | string {
  if (fetch && isLive(fetch))
    return fetch.unwanted ? 'stopping' : adminActionLink('end', `fetch_${name}`, `fetching ${name}`);
  return canBeFetched ? adminActionLink('fetch', name, name) : '';
}

const whole = (count: number): string => Math.round(count).toLocaleString('en');

/** The six figures of the overview. */
export function overviewFigures({ health, museums, books, webhooks, queue, backup }: Overview): Html {
  const oldest = Math.max(0, ...Object.values(health.jobs ?? {}).map(({ oldest_s: seconds }) => seconds));
  const shown: readonly [string, string][] = [
    ['longest wait in the queue', queue.length > 0 ? `${oldest} s` : 'no wait'],
    ['works in the collection', whole(museums.reduce((sum, { works }) => sum + works, 0))],
    ['credits outstanding', whole(books.outstanding)],
    ['ledger', books.balanced ? 'balanced' : 'unbalanced'],
    ['webhook deliveries pending', whole(webhooks.pending)],
    ['since the last backup', backup ? ageLabel(backup.made_at) : 'never'],
  ];
  return html`<dl class="figures">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Health checks, and the engine tests if they were run. */
export const healthSection = ({ health, engines }: Overview): Html =>
  html`<p class="quiet">Version ${health.version}, up for ${ageLabel(new Date(Date.parse(health.time) - health.uptime_s * 1000).toISOString())}${
    health.maintenance ? `; maintenance since ${momentLabel(health.maintenance.since)} UTC` : ''
  }.</p>
<dl class="slug">${Object.entries(health.checks).map(
    ([name, state]) => html`<div><dt>${name}</dt><dd>${stateCell(state)}</dd></div>`,
  )}</dl>
${
  engines
    ? ledger(
        ['Engine', 'Duration', 'State'],
        Object.entries(engines).map(([name, { state, ms, reason }]) => [
          name,
          `${ms} ms`,
          html`${stateCell(state)}${reason ? ` ${reason}` : ''}`,
        ]),
      )
    : html`<p class="row after-act"><a class="button" href="/operate/health?deep=1">Test all engines</a><span class="small quiet">Sends a small image through each engine. Takes a few seconds.</span></p>`
}`;

const TONES = { ok: 'good', failed: 'bad', busy: 'warn' } as const;
const stateCell = (state: keyof typeof TONES): Html => html`<span class="${TONES[state]}">${state}</span>`;

/** @param titleOf title of a tool by its name */
export const queueSection = (overview: Overview, titleOf: TitleOf): Html =>
  html`${table(
    'No jobs are queued or running.',
    ['Tool', 'Running', 'Queued', 'Longest wait'],
    overview.queue.map(({ tool, running, queued }) => [
      titleOf(tool),
      `${running} running`,
      `${queued} queued`,
      waitOf(overview, tool),
    ]),
  )}${
    overview.jobs.length === 0
      ? ''
      : ledger(
          ['Job', 'Wallet', 'State', 'Since, UTC', ''],
          overview.jobs.map(({ id, tool, wallet, state, accepted_at: at }) => [
            titleOf(tool),
            wallet
              ? html`<a href="/operate/wallets?wallet=${wallet}">${shortWallet(wallet)}</a>`
              : 'no account',
            state,
            momentLabel(at),
            adminActionLink('end', id, `the job of ${titleOf(tool)}`),
          ]),
        )
  }`;

const shortWallet = (wallet: string): string => `${wallet.slice(0, 6)}…${wallet.slice(-4)}`;

/** @param titleOf title of a tool by its name */
export const processesSection = ({ servers, takers }: Overview, titleOf: TitleOf): Html =>
  table(
    'This server runs as one process on the embedded database.',
    ['Process', 'Handles', 'Slots', 'Last seen'],
    [
      ...servers.map(({ host, pid, seen_at: at }) => [`${host}, ${pid}`, 'requests', '', momentLabel(at)]),
      ...takers.map(({ tools, places, seen_at: at }) => [
        'worker',
        tools === null ? 'jobs of all tools' : tools.map(titleOf).join(', '),
        `${places} slots`,
        momentLabel(at),
      ]),
    ],
  );

export const museumsSection = ({ museums, fetches }: Overview): Html =>
  table(
    'The collection is empty.',
    ['Museum', 'Works', 'State', 'Imported, UTC', ''],
    museums.map(({ museum, title, works, whole: isWhole, read_at: at, can_be_fetched: canBeFetched }) => {
      const fetch = fetches.find(({ name }) => name === museum);
      return [
        title,
        whole(works),
        fetchState(fetch) ??
          (isWhole
            ? html`<span class="good">full export imported</span>`
            : html`<span class="quiet">starter catalogue</span>`),
        at ? momentLabel(at) : '',
        fetchAct(museum, { fetch, canBeFetched }),
      ];
    }),
  );

/** State of a background model download; undefined if there is none. */
function backgroundState(name: string, { health }: Overview): Html | undefined {
  const state = health.fetching?.[name];
  const fraction = health.fetching_progress?.[name] ?? 0;
  if (state === 'running')
    return html`<progress max="1" value="${fraction}" aria-label="${name}">${Math.round(fraction * 100)}%</progress><span class="small quiet">downloading in the background</span>`;
  if (state === 'failed')
    return html`<span class="bad">failed</span> <span class="small">retried later</span>`;
  return state === 'waiting' ? html`<span class="quiet">queued</span>` : undefined;
}

export const networksSection = (overview: Overview): Html =>
  table(
    'No models are available.',
    ['Model', 'Size', 'State', ''],
    overview.models.map(({ name, bytes, installed, can_be_fetched: isPublished }) => {
      const fetch = overview.fetches.find((one) => one.name === name);
      return [
        name,
        bytes === null ? '' : bytesLabel(bytes),
        installed
          ? html`<span class="good">installed</span>`
          : (fetchState(fetch) ??
            backgroundState(name, overview) ??
            html`<span class="quiet">not installed</span>`),
        fetchAct(name, { fetch, canBeFetched: isPublished && !installed }),
      ];
    }),
  );

export const webhooksSection = ({ webhooks }: Overview): Html =>
  table(
    `${webhooks.active} active endpoints, no deliveries yet.`,
    ['Event', 'Endpoint', 'State', 'Time, UTC', ''],
    webhooks.deliveries.map(({ type, endpoint, state, attempts, at }) => [
      type,
      endpoint,
      `${state}${attempts > 1 ? `, ${attempts} attempts` : ''}`,
      momentLabel(at),
      adminActionLink('end', endpoint, `the webhook ${endpoint}`),
    ]),
  );

export const booksSection = ({ books }: Overview): Html =>
  html`${table(
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

export const backupSection = ({ backup, damaged_files: damaged }: Overview): Html =>
  html`${table(
    'No backup of this database yet.',
    ['Last backup', 'Folder', 'Size', 'Added', 'State'],
    backup
      ? [
          [
            html`${momentLabel(backup.made_at)} UTC <span class="small quiet">${ageLabel(backup.made_at)} ago</span>`,
            html`<code>${backup.folder}</code>`,
            bytesLabel(backup.bytes),
            bytesLabel(backup.added_bytes),
            backup.damaged > 0
              ? html`<span class="bad">${backup.damaged} files damaged</span>`
              : html`<span class="good">complete when created</span>`,
          ],
        ]
      : [],
  )}<p class="small quiet">Run <code>${ownCommand(`backup ${backup ? shellWord(backup.folder) : '<folder>'}`)}</code> on the server to create a backup while it runs. <code>--check</code> verifies the newest backup against its checksums; this page does not show when that was last done. <a href="/docs/operating/backup">About backups</a></p>${
    damaged.length > 0 &&
    html`<p class="bad">${damaged.length} stored files are damaged or missing. <a href="/docs/operating/backup">Restore them from a backup</a></p>`
  }`;

export const cpuSection = ({ cpu }: Overview): Html =>
  table(
    'All CPU budgets are full.',
    ['Client', 'Scope', 'CPU seconds used', 'Blocked for another'],
    cpu.map(({ name, scope, used_s: used, wait_s: wait }) => [
      name,
      scope,
      String(used),
      wait > 0 ? `${Math.ceil(wait)} s` : '',
    ]),
  );

export const refusalsSection = ({ refusals }: Overview): Html =>
  table(
    'No requests rejected since this server started.',
    ['Error', 'Tool or endpoint', 'Address', 'Time, UTC'],
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

const table = (empty: string, heads: readonly string[], rows: Parameters<typeof ledger>[1]): Html =>
  rows.length > 0 ? ledger(heads, rows) : html`<p class="quiet">${empty}</p>`;
