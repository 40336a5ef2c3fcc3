import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { describe, expect, test } from 'vitest';
import { isFree } from '../features/definitions/price.ts';
import { tools } from '../features/tools.ts';
import { inputJsonSchema } from './envelope_schema.ts';
import { answersWithFile, briefFields, mcpTool } from './mcp_tools.ts';

test.each([
  ['string bounds', { type: 'string', minLength: 1, maxLength: 9, pattern: '^a' }, { type: 'string' }],
  ['excessively large bounds', { type: 'integer', minimum: 1, maximum: 9e9 }, { type: 'integer' }],
  ['no other numeric bounds', { type: 'integer', maximum: 9 }, { type: 'integer', maximum: 9 }],
  ['a default of false', { type: 'boolean', default: false }, { type: 'boolean' }],
  ['no other default', { type: 'integer', default: 0 }, { type: 'integer', default: 0 }],
  [
    'string constraints of array items',
    { type: 'array', items: { type: 'string', pattern: '^a' } },
    { type: 'array', items: { type: 'string' } },
  ],
])('the brief schema omits %s', (_what, field, brief) => {
  expect(briefFields({ field })).toEqual({ field: brief });
});

test('object fields are listed by name, type and short enums, with a reference to the full schema', () => {
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

  test('every input valid under the full schema is valid under the brief schema', () => {
    const isTaken = new AjvJsonSchemaValidator().getValidator(inputSchema);
    const sent = tool.examples.map(({ output: _, ...example }) => example);

    expect(sent.map((example) => isTaken(example).errorMessage)).toEqual(sent.map(() => undefined));
  });

  test('only fields without effect over MCP and fields covered by the instructions are omitted', () => {
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

  test('the alternatives of a tool are other existing tools', () => {
    const others = tools.map(({ name }) => name).filter((name) => name !== tool.name);

    expect(others).toEqual(expect.arrayContaining(Object.keys(tool.instead ?? {})));
  });
});
