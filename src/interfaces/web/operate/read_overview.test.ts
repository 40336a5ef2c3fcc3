import { expect, test } from 'vitest';
import type { Overview } from '../../../features/operator/routes/overview.ts';
import { fetchSentence, stateSentence } from './read_overview.ts';

const overview = (more: object = {}) =>
  ({
    health: { checks: { database: 'ok', storage: 'ok' } },
    books: { balanced: true },
    webhooks: { disabled: 0 },
    queue: [{ tool: 'a', queued: 1, running: 2 }],
    ...more,
  }) as unknown as Overview;

test('without problems, the sentence states running and queued jobs', () => {
  expect(stateSentence(overview(), { alerts: [] })).toBe(
    'All systems operational. 2 jobs running, 1 queued.',
  );
});

test('problems and firing alerts come first', () => {
  const state = overview({
    health: { checks: { database: 'ok', storage: 'failed' } },
    books: { balanced: false },
    queue: [],
  });
  const alert = { name: 'a', severity: 'page', summary: '', since: '', firing: true } as const;
  expect(stateSentence(state, { alerts: [alert, { ...alert, firing: false }] })).toBe(
    'Storage check is failing; the ledger is unbalanced; 1 alert is firing. 0 jobs running, 0 queued.',
  );
});

test.each<[string, object[]]>([
  ['', []],
  ['met is queued for download.', [{ name: 'met', state: 'waiting' }]],
  [
    'Downloading met. You can close this page.',
    [
      { name: 'nga', state: 'done' },
      { name: 'met', state: 'running' },
    ],
  ],
  ['Stopping the download of met.', [{ name: 'met', state: 'running', unwanted: true }]],
  [
    'Last download: nga failed.',
    [
      { name: 'nga', state: 'failed' },
      { name: 'met', state: 'done' },
    ],
  ],
])('the download sentence is "%s"', (said, fetches) => {
  expect(fetchSentence(overview({ fetches }))).toBe(said);
});
