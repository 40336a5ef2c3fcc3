import type { Overview } from '../../operations/operator/overview.ts';

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

const counted = (count: number, one: string, many: string): string =>
  `${count === 0 ? 'no' : count} ${count === 1 ? one : many}`;
