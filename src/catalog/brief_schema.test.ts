import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { describe, expect, test } from 'vitest';
import { isFree } from '../features/definitions/price.ts';
import { tools } from '../features/tools.ts';
import { inputJsonSchema } from './envelope_schema.ts';
import { answersWithFile, briefFields, mcpTool } from './mcp_tools.ts';

test.each([
  ['bounds of texts', { type: 'string', minLength: 1, maxLength: 9, pattern: '^a' }, { type: 'string' }],
  ['bounds that no client reaches', { type: 'integer', minimum: 1, maximum: 9e9 }, { type: 'integer' }],
  ['no other bounds of numbers', { type: 'integer', maximum: 9 }, { type: 'integer', maximum: 9 }],
  ['a default that is nothing', { type: 'boolean', default: false }, { type: 'boolean' }],
  ['no other default', { type: 'integer', default: 0 }, { type: 'integer', default: 0 }],
  [
    'whatever may stand in a list',
    { type: 'array', items: { type: 'string', pattern: '^a' } },
    { type: 'array', items: { type: 'string' } },
  ],
])('leaves out %s', (_what, field, brief) => {
  expect(briefFields({ field })).toEqual({ field: brief });
});

test('the fields of an object are shown by name, type and few values, with the way to the rest', () => {
  const part = { type: 'string', enum: ['a', 'b'], description: 'One of two.' };
  const many = { type: 'string', enum: [...'abcdefg'] };
  const { rights } = briefFields({
    rights: { type: 'object', description: 'Whose.', properties: { part, many } },
  });

  expect(rights).toEqual({
    type: 'object',
    description: 'Whose. See get_tool_schema.',
    properties: { part: { type: 'string', enum: ['a', 'b'] }, many: { type: 'string' } },
  });
});

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (_name, tool) => {
  const { inputSchema } = mcpTool(tool);
  const whole = inputJsonSchema(tool, 'draft-2020-12');

  test('what its schema takes, the list takes too', () => {
    const isTaken = new AjvJsonSchemaValidator().getValidator(inputSchema);
    const sent = tool.examples.map(({ output: _, ...example }) => example);

    expect(sent.map((example) => isTaken(example).errorMessage)).toEqual(sent.map(() => undefined));
  });

  test('no field is left out but those without effect here and those the instructions describe', () => {
    const shared = ['keep', 'keep_location'].filter((name) => name in tool.input.shape);
    const hidden = [
      ...(answersWithFile(tool) ? ['output', ...shared] : []),
      ...(isFree(tool.price) ? ['dry_run'] : []),
    ];
    const own = [...Object.keys(tool.input.shape), 'dry_run'];
    const missing = own.filter((name) => !(name in inputSchema.properties));

    expect(missing.sort()).toEqual(hidden.sort());
    expect(inputSchema.required).toEqual(whole.required);
  });

  test('the tools to call instead are others there are', () => {
    const others = tools.map(({ name }) => name).filter((name) => name !== tool.name);

    expect(others).toEqual(expect.arrayContaining(Object.keys(tool.instead ?? {})));
  });
});
