import { expect, test } from 'vitest';
import { sampleTools } from '../../tests/support/sample_tools.ts';
import { answerJsonSchema, inputJsonSchema, mcpOutputSchema } from './envelope_schema.ts';

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

test('the MCP form admits the answer and the quote of a dry run', () => {
  const schema = mcpOutputSchema(turn!);
  expect(schema).toMatchObject({ type: 'object', required: ['cost', 'next_steps'] });
  expect(schema.anyOf).toEqual([
    { required: expect.arrayContaining(['result']) },
    { required: ['dry_run', 'quote'] },
  ]);
});
