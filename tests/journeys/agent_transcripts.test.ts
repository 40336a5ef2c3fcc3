import { afterAll, beforeAll, expect, test } from 'vitest';
import { regressionsIn, replayTranscripts, TOKENS_MAX } from '../../bench/support/transcripts/replay.ts';
import { listen } from '../mcp/listen.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';

/** Jobs that a language model has played over MCP, sent again as they were recorded. */

/** Forty jobs, some of them with networks on a processor. */
const SLOW = { timeout: 1_200_000 };

let app: TestApp;
let server: { url: string; close(): void };

beforeAll(async () => {
  app = await openTestApp();
  server = await listen(async (request) => app.fetch(request));
});
afterAll(async () => {
  server?.close();
  await app?.close();
});

test('replayed agent transcripts still succeed, with short responses', SLOW, async () => {
  const replays = await replayTranscripts(new URL(server.url).origin);
  const long = replays.flatMap(({ transcript, outcomes }) =>
    outcomes.flatMap(({ tokens }, at) =>
      tokens > TOKENS_MAX ? [`${transcript.job}.${at + 1}: ${tokens}`] : [],
    ),
  );

  expect(regressionsIn(replays)).toEqual([]);
  expect(long).toEqual([]);
});
