import { expect, test } from 'vitest';
import { shortAnswer } from './answer_call.ts';
import { MCP_ANSWER_BYTES_MAX } from './limits.ts';

const works = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, title: 'A work'.repeat(10) }));
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify([JSON.stringify(value), value]));

test('a short response is unchanged', () => {
  const body = { works: works(3) };
  expect(shortAnswer(body)).toEqual({ body, cut: [] });
});

test('the longest lists are truncated to fit and named', () => {
  const { body, cut } = shortAnswer({ works: works(500), museums: works(5), next_steps: works(3) });

  expect(bytesOf(body)).toBeLessThan(MCP_ANSWER_BYTES_MAX + 100);
  expect(bytesOf(body)).toBeGreaterThan(MCP_ANSWER_BYTES_MAX / 2);
  expect(body.museums).toHaveLength(5);
  expect(body.next_steps).toHaveLength(3);
  expect(cut).toEqual([`works (${(body.works as unknown[]).length} of 500)`]);
});

test('fields that are not lists are never truncated', () => {
  const body = { text: 'x'.repeat(MCP_ANSWER_BYTES_MAX), works: works(2) };
  expect(shortAnswer(body).body).toEqual({ ...body, works: works(1) });
});

test('nested lists are truncated too, longest first', () => {
  const { body, cut } = shortAnswer({ ai: { id: 'a', evidence: works(500) }, fields: ['title', 'creator'] });

  expect(bytesOf(body)).toBeLessThan(MCP_ANSWER_BYTES_MAX + 100);
  expect(body).toMatchObject({ ai: { id: 'a' }, fields: ['title', 'creator'] });
  expect(cut).toEqual([expect.stringMatching(/^ai\.evidence \(\d+ of 500\)$/)]);
});
