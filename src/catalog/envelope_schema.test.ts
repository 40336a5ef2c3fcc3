import { expect, test } from 'vitest';
import { sampleTools } from '../../tests/support/sample_tools.ts';
import { answerJsonSchema, inputJsonSchema } from './envelope_schema.ts';

const [turn] = sampleTools;

test('every input takes dry_run, and only the tool’s own fields are required', () => {
  const schema = inputJsonSchema(turn!, 'draft-2020-12');
  expect(schema.required).toEqual(['image']);
  expect(schema.properties).toHaveProperty('dry_run.default', false);
});

test('every answer has cost and next_steps beside the tool’s own fields', () => {
  const { required } = answerJsonSchema(turn!, 'draft-2020-12');
  expect(required).toEqual(expect.arrayContaining(['result_url', 'cost', 'next_steps']));
  expect(required).not.toContain('payment');
});
