import { expect, test } from 'vitest';
import { sampleTools } from '../../tests/support/sample_tools.ts';
import { answerJsonSchema, inputJsonSchema } from './envelope_schema.ts';

const [turn] = sampleTools;

test('every input accepts dry_run, and only the required fields of the tool are required', () => {
  const schema = inputJsonSchema(turn!, 'draft-2020-12');
  expect(schema.required).toEqual(['image']);
  expect(schema.properties).toHaveProperty('dry_run.default', false);
});

test('every response schema has cost and next_steps besides the fields of the tool', () => {
  const { required } = answerJsonSchema(turn!, 'draft-2020-12');
  expect(required).toEqual(expect.arrayContaining(['result_url', 'cost', 'next_steps']));
  expect(required).not.toContain('payment');
});
