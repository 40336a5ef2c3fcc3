import type { Client } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { heldOutCalls } from '../bench/support/league/held_out/calls.ts';
import { freshCalls } from '../bench/support/league/held_out/fresh_calls.ts';
import type { CallsByWish, World } from '../bench/support/league/job.ts';
import { jobsIn } from '../bench/support/league/jobs.ts';
import { playModel } from '../bench/support/league/play_model.ts';
import { readConfig } from '../src/config/config.ts';
import { openLanguageModel } from '../src/features/enrichment/open_model.ts';
import { type Reply, startFakeProvider } from './support/fake_provider.ts';

const world: World = {
  photo: 'upload:a',
  photoBase64: 'QQ==',
  photoDataUri: 'data:image/png;base64,QQ==',
  photoResult: 'result:a.png',
  photoUrl: 'https://a.test/a',
  logo: 'upload:b',
  marked: 'result:b.png',
  markedUrl: 'https://a.test/b',
  wallet: `0x${'a'.repeat(40)}`,
};
const [job] = jobsIn(world);
const listed = [{ name: 'resize_image', description: 'Resizes.', inputSchema: { type: 'object' as const } }];
/** Answers as the service does: a problem for what it cannot read, and the sides of the picture it made. */
const service = {
  callTool: async ({ arguments: { width } }: { arguments: { width: unknown } }) =>
    typeof width === 'number'
      ? { content: [], structuredContent: { width, height: (width * 3) / 4 } }
      : { content: [], isError: true, structuredContent: { detail: 'width must be an integer.' } },
} as unknown as Client;

async function played(...replies: Reply[]) {
  const provider = await startFakeProvider('openai_compatible', ...replies);
  onTestFinished(() => provider.close());
  const config = readConfig({ VISION_PROVIDER: 'openai_compatible', VISION_BASE_URL: provider.url });
  const model = await openLanguageModel(config, 'openai_compatible', 'player-1');
  const trips = await playModel(model, service, { job: job!, world, listed });
  return { trips, requests: provider.requests };
}

test('a model that is configured plays: it reads the failure, calls again and stops when it is done', async () => {
  const { trips, requests } = await played(
    { calls: [['resize_image', { width: 'wide' }]] },
    { calls: [['resize_image', { width: 500 }]] },
  );

  expect(trips.map(({ isDone }) => isDone)).toEqual([false, true]);
  expect(JSON.stringify(requests[1]!.body.messages)).toContain('width must be an integer.');
  expect(requests.map(({ body }) => body.tools[0].function.name)).toEqual(['resize_image', 'resize_image']);
});

test('a model that only talks has made no call', async () => {
  expect((await played({ content: 'I cannot.' })).trips).toEqual([]);
});

test('a model that never gets there is stopped', async () => {
  expect((await played({ calls: [['resize_image', { width: 1 }]] })).trips).toHaveLength(6);
});

test.each<[string, CallsByWish]>([
  ['held out', heldOutCalls(world)],
  ['fresh', freshCalls(world)],
])('the phrasings %s are for jobs there are', (_set, calls) => {
  const wishes = jobsIn(world).map(({ wish }) => wish);

  expect(Object.keys(calls).filter((wish) => !wishes.includes(wish))).toEqual([]);
});
