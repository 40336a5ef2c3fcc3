import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import type { DailyMetrics } from '../../../features/operator/routes/history.ts';
import type { Overview } from '../../../features/operator/routes/overview.ts';
import { ask } from '../ask.ts';
import type { Visit } from '../types.ts';
import { FETCHING_REFRESH_SECONDS } from './as_operator.ts';

const operationNamed = ({ studio }: Visit, name: string) =>
  studio.operations.find((operation) => operation.name === name)!;

/** @param deep '1' tests every engine @throws AtelierError operator_required */
export const readOverview = (visit: Visit, deep?: '1' | undefined): Promise<Overview> =>
  ask(visit, operationNamed(visit, 'operator_overview'), deep ? { deep } : {}) as Promise<Overview>;

/** @throws AtelierError operator_required */
export const readDailyMetrics = (visit: Visit): Promise<DailyMetrics> =>
  ask(visit, operationNamed(visit, 'operator_history')) as Promise<DailyMetrics>;

const isFetching = ({ fetches }: Overview): boolean =>
  fetches.some(({ state }) => state === 'waiting' || state === 'running');

/** Reloads a page without JavaScript while something is downloaded. */
export const liveRefresh = (overview: Overview): { refreshSeconds?: number } =>
  isFetching(overview) ? { refreshSeconds: FETCHING_REFRESH_SECONDS } : {};

/** Content that `run.ts` refreshes while something is downloaded, below the state of the download. */
export const liveFetches = (overview: Overview, content: Html): Html =>
  html`<at-run><p class="small quiet" role="status" aria-live="polite">${fetchSentence(overview)}</p>
<div id="shown"${isFetching(overview) ? html` data-live` : ''}>${content}</div></at-run>`;

type Seen = Pick<Overview, 'health' | 'books' | 'queue' | 'webhooks'>;

/** The state of the server in a sentence; problems come first. */
export function stateSentence(
  { health, books, queue, webhooks }: Seen,
  { alerts }: Pick<DailyMetrics, 'alerts'>,
): string {
  const failing = Object.entries(health.checks)
    .filter(([, state]) => state === 'failed')
    .map(([name]) => name);
  const firing = alerts.filter((alert) => alert.firing).length;
  const wrong = [
    ...(failing.length > 0
      ? [`${failing.join(' and ')} ${failing.length === 1 ? 'check is' : 'checks are'} failing`]
      : []),
    ...(books.balanced ? [] : ['the ledger is unbalanced']),
    ...(webhooks.disabled > 0
      ? [`${counted(webhooks.disabled, 'webhook is', 'webhooks are')} disabled`]
      : []),
    ...(firing > 0 ? [counted(firing, 'alert is firing', 'alerts are firing')] : []),
  ];
  const sum = (field: 'queued' | 'running') => queue.reduce((all, row) => all + row[field], 0);
  const jobs = `${counted(sum('running'), 'job', 'jobs')} running, ${sum('queued')} queued.`;
  if (wrong.length === 0) return `All systems operational. ${jobs}`;
  const said = wrong.join('; ');
  return `${said[0]!.toUpperCase()}${said.slice(1)}. ${jobs}`;
}

/** The current download in a sentence, which changes only with its state; else the last one. */
export function fetchSentence({ fetches }: Pick<Overview, 'fetches'>): string {
  const live = fetches.find(({ state }) => state === 'waiting' || state === 'running');
  if (live) {
    if (live.unwanted) return `Stopping the download of ${live.name}.`;
    return live.state === 'running'
      ? `Downloading ${live.name}. You can close this page.`
      : `${live.name} is queued for download.`;
  }
  const [last] = fetches;
  if (!last) return '';
  const outcome = { done: 'downloaded', failed: 'failed', stopped: 'stopped' } as const;
  return `Last download: ${last.name} ${outcome[last.state as keyof typeof outcome]}.`;
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
