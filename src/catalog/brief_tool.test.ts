import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { getToolSchema } from '../features/discovery/tools/get_tool_schema.ts';
import { tools } from '../features/tools.ts';
import { briefTool, signatureOf } from './brief_tool.ts';
import { createCatalogue } from './create_catalogue.ts';

/** The whole response with cost and next steps, in tokens of o200k. */
const TOKENS_MAX = 1_500;
const ENVELOPE = {
  cost: { credit: 0, usd: 0, note: 'This call is free.' },
  next_steps: [
    { action: 'See the rest', tool: 'get_tool_schema', cost: 'free', why: 'Every bound and every field' },
  ],
};
const services = { catalogue: createCatalogue(tools) };

test.each(tools.map(({ name }) => name))(
  'the description of %s stays within the token limit',
  async (name) => {
    const answer = await getToolSchema.run(
      getToolSchema.input.parse({ tool_name: name }),
      services,
      {} as never,
    );

    expect(encode(JSON.stringify({ ...answer, ...ENVELOPE })).length).toBeLessThanOrEqual(TOKENS_MAX);
  },
);

test('image editor operations are written as signatures', () => {
  const { input_schema: input } = briefTool(tools.find(({ name }) => name === 'edit_image')!);

  expect(JSON.stringify(input)).toContain('{op: \\"rotate\\", degrees, background?, expand?: true|false}');
});

test('examples use handles instead of file contents', () => {
  const { examples } = briefTool(tools.find(({ name }) => name === 'register_hash')!);

  expect(examples[0]).toMatchObject({ image: 'upload:<id>' });
});

test('a schema is written in TypeScript notation, with repeated types defined once', () => {
  const size = {
    type: 'object',
    properties: { width: { type: 'number' }, height: { type: 'number' }, unit: { type: 'string' } },
    required: ['width'],
  };
  const schema = {
    type: 'object',
    properties: {
      from: size,
      to: { type: 'array', items: size },
      kind: { enum: ['a', 'b'] },
      on: { type: 'boolean' },
    },
    required: ['from'],
  };

  expect(signatureOf(schema)).toBe(
    '{from: A, to?: A[], kind?: a|b, on?: true|false} with A = {width, height?, unit?}',
  );
  expect(signatureOf(schema, { depth: 1 })).toBe('{from: {…}, to?: {…}[], kind?: a|b, on?: true|false}');
});
