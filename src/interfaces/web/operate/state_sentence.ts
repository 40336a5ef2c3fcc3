import type { DaySeen } from '../../../features/operator/routes/history.ts';
import type { Overview } from '../../../features/operator/routes/overview.ts';

type Seen = Pick<Overview, 'health' | 'books' | 'queue' | 'webhooks'>;

/** The state of the server in a sentence; problems come first. */
export function stateSentence(
  { health, books, queue, webhooks }: Seen,
  { alerts }: Pick<DaySeen, 'alerts'>,
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
