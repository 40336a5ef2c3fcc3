import type { Overview } from '../../../features/operator/routes/overview.ts';

/** What needs a person, in one sentence; else what runs. */
export function stateSentence({ health, books, queue, webhooks }: Overview): string {
  const failing = Object.entries(health.checks)
    .filter(([, state]) => state === 'failed')
    .map(([name]) => name);
  const wrong = [
    ...(failing.length > 0 ? [`${failing.join(' and ')} ${failing.length === 1 ? 'fails' : 'fail'}`] : []),
    ...(books.balanced ? [] : ['the books do not balance']),
    ...(webhooks.disabled > 0
      ? [`${counted(webhooks.disabled, 'webhook is', 'webhooks are')} disabled`]
      : []),
  ];
  const sum = (field: 'queued' | 'running') => queue.reduce((all, row) => all + row[field], 0);
  const waiting = sum('queued');
  const work = `${counted(sum('running'), 'job works', 'jobs work')}, ${waiting === 0 ? 'none wait' : counted(waiting, 'waits', 'wait')}`;
  if (wrong.length === 0) return `Everything runs; ${work}.`;
  const said = wrong.join('; ');
  return `${said[0]!.toUpperCase()}${said.slice(1)}; ${work}.`;
}

/** What is being fetched, in a sentence that changes only when that does; else what was fetched last. */
export function fetchSentence({ fetches }: Pick<Overview, 'fetches'>): string {
  const live = fetches.find(({ state }) => state === 'waiting' || state === 'running');
  if (live) {
    if (live.unwanted) return `${live.name} is being stopped.`;
    return live.state === 'running'
      ? `${live.name} is being fetched. This page may be closed.`
      : `${live.name} waits for a server to fetch it.`;
  }
  const [last] = fetches;
  if (!last) return '';
  const outcome = { done: 'is here', failed: 'could not be fetched', stopped: 'was stopped' } as const;
  return `${last.name} ${outcome[last.state as keyof typeof outcome]}.`;
}

const counted = (count: number, one: string, many: string): string =>
  `${count === 0 ? 'no' : count} ${count === 1 ? one : many}`;
