import { expect, test } from 'vitest';
import { sampleTools } from '../../../../tests/support/sample_tools.ts';
import { createCatalogue } from '../../../catalog/create_catalogue.ts';
import type { CallContext } from '../../definitions/tool.ts';
import { searchTools } from './search_tools.ts';

const services = { catalogue: createCatalogue(sampleTools) };
const search = async (input: Record<string, unknown>) =>
  searchTools.run(searchTools.input.parse(input), services, {} as CallContext);
const names = async (input: Record<string, unknown>) => (await search(input)).tools.map(({ name }) => name);

test('without filters it lists every tool with its price', async () => {
  const { tools, total } = await search({});
  expect(total).toBe(3);
  expect(tools[1]).toMatchObject({ name: 'describe_image', cost: { credit: 2, usd: 0.2 }, free: false });
});

test('filters by category, where "free" means price 0', async () => {
  expect(await names({ category: 'storage' })).toEqual(['keep_note']);
  expect(await names({ category: 'free' })).toEqual(['turn_image']);
});

test('filters by maximum price, where 0 means free only', async () => {
  expect(await names({ max_price_usd: 0 })).toEqual(['turn_image']);
  expect(await names({ max_price_usd: 0.2 })).toEqual(['turn_image', 'describe_image']);
  expect(await names({ max_price_usd: -1 })).toHaveLength(3);
});

test('combines a query with filters and tolerates a typo', async () => {
  expect(await names({ query: 'pictrue', category: 'creative', max_price_usd: 0 })).toEqual(['turn_image']);
});

test('the next step describes the best match', async () => {
  const output = await search({ query: 'note' });
  expect(searchTools.next?.(output, searchTools.input.parse({}), {})[0]?.params).toEqual({
    tool_name: 'keep_note',
  });
});

const [turn] = sampleTools;
const absent = createCatalogue(sampleTools.slice(1), {}, [
  { tool: turn!, why: 'This server cannot turn images: its operator sets TURNING.' },
]);
const answer = (query: string) =>
  searchTools.run(searchTools.input.parse({ query }), { catalogue: absent }, {} as CallContext);

test('an unconfigured tool is left out of the results, and the required setting is named', async () => {
  expect(await answer(turn!.name)).toMatchObject({
    tools: [],
    not_offered: { why: expect.stringContaining('TURNING') },
  });
});

test('an out-of-scope request returns a reason instead of tools', async () => {
  expect(await answer('subtitles for a movie')).toEqual({
    tools: [],
    total: 0,
    not_offered: { why: 'This server cannot work on video.', nearest: [] },
  });
});

test('a query without matching words returns a reason', async () => {
  expect((await answer('quxify blarg')).not_offered?.why).toMatch(/No tool matches/);
});
