import { expect, test } from 'vitest';
import type { StepOutcome } from '../../definitions/tool.ts';
import { ANSWER_CHARACTERS_MAX } from './limits.ts';
import { answerOf } from './run_recipe.ts';

const step = { tool: 't', params: {}, save_as: 'a' };
const done = (output: Record<string, unknown>): StepOutcome => ({
  course: 0,
  step,
  state: 'done',
  kept: false,
  credits: 0,
  output,
});

test('omitted fields are named, and the file link comes first', () => {
  const [answered] = answerOf([done({ svg: 'x'.repeat(20_000), width: 3, result: 'result:a' })]).steps;
  expect(answered).toMatchObject({ answer: { width: 3, result: 'result:a' }, left_out: ['svg'] });
});

test('sixty long responses are shortened to fit together', () => {
  const output = { notes: 'x'.repeat(300), result_url: 'u'.repeat(170), result: 'r'.repeat(50) };
  const { steps } = answerOf(Array.from({ length: 60 }, () => done(output)));
  expect(steps[59]!.answer).toEqual({ result_url: output.result_url, result: output.result });
  expect(JSON.stringify(steps).length).toBeLessThan(2.5 * ANSWER_CHARACTERS_MAX);
});

test('a field is included whole or omitted', () => {
  const list = Array.from({ length: 50 }, (_, at) => at);
  expect(answerOf([done({ list })]).steps[0]!.answer).toEqual({ list });
});

test('a failed step reports the reason and, for several images, which one', () => {
  const failed: StepOutcome = {
    ...done({}),
    course: 1,
    state: 'failed',
    error: { code: 'busy', detail: 'Full.' },
  };
  const { output: _, ...without } = failed;
  expect(answerOf([done({}), without])).toMatchObject({
    state: 'partial',
    delivered: 1,
    failed: 1,
    steps: [{ item: 0 }, { item: 1, error: { code: 'busy' } }],
  });
});

test('with several images the last file of each is listed', () => {
  const second = (result: string): StepOutcome => ({ ...done({ result }), course: 1 });
  const outcomes = [done({ result: 'result:a1' }), done({ result: 'result:a2' }), second('result:b1')];
  expect(answerOf(outcomes).results).toEqual(['result:a2', 'result:b1']);
});
