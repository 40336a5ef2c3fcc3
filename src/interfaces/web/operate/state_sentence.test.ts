import { expect, test } from 'vitest';
import type { Overview } from '../../../features/operator/routes/overview.ts';
import { fetchSentence, stateSentence } from './state_sentence.ts';

const overview = (more: object = {}) =>
  ({
    health: { checks: { database: 'ok', storage: 'ok' } },
    books: { balanced: true },
    webhooks: { disabled: 0 },
    queue: [{ tool: 'a', queued: 1, running: 2 }],
    ...more,
  }) as unknown as Overview;

test('where nothing is wrong it says what works', () => {
  expect(stateSentence(overview())).toBe('Everything runs; 2 jobs work, 1 waits.');
});

test('what needs a person comes first', () => {
  const state = overview({
    health: { checks: { database: 'ok', storage: 'failed' } },
    books: { balanced: false },
    queue: [],
  });
  expect(stateSentence(state)).toBe('Storage fails; the books do not balance; no jobs work, none wait.');
});

test.each<[string, object[]]>([
  ['', []],
  ['met waits for a server to fetch it.', [{ name: 'met', state: 'waiting' }]],
  [
    'met is being fetched. This page may be closed.',
    [
      { name: 'nga', state: 'done' },
      { name: 'met', state: 'running' },
    ],
  ],
  ['met is being stopped.', [{ name: 'met', state: 'running', unwanted: true }]],
  [
    'nga could not be fetched.',
    [
      { name: 'nga', state: 'failed' },
      { name: 'met', state: 'done' },
    ],
  ],
])('of what is fetched it says "%s"', (said, fetches) => {
  expect(fetchSentence(overview({ fetches }))).toBe(said);
});
