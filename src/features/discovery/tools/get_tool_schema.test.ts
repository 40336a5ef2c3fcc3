import { expect, test } from 'vitest';
import { sampleTools } from '../../../../tests/support/sample_tools.ts';
import { createCatalogue } from '../../../catalog/create_catalogue.ts';
import type { CallContext } from '../../definitions/tool.ts';
import { getToolSchema } from './get_tool_schema.ts';

const services = { catalogue: createCatalogue(sampleTools) };
const describeTool = async (tool_name: string) =>
  getToolSchema.run({ tool_name, detail: 'full' }, services, {} as CallContext);

test('describes a tool with both schemas, price and examples', async () => {
  const answer = await describeTool('describe_image');
  expect(answer.price).toEqual({
    credit: 2,
    usd: 0.2,
    by: { field: 'tier', credits: { standard: 1, premium: 2 } },
  });
  expect(answer.input_schema).toMatchObject({ type: 'object', required: ['image'] });
  expect(answer.output_schema).toHaveProperty('properties.words');
  expect(answer.examples).toEqual(sampleTools[1]!.examples);
});

test('the response matches its output schema', async () => {
  expect(getToolSchema.output.strict().safeParse(await describeTool('keep_note')).error).toBeUndefined();
});

test('the brief form is shorter and links to the full schema', async () => {
  const brief = await getToolSchema.run(
    { tool_name: 'describe_image', detail: 'brief' },
    services,
    {} as CallContext,
  );
  const full = await describeTool('describe_image');

  expect(brief.input_schema).toMatchObject({ type: 'object', required: ['image'] });
  expect(JSON.stringify(brief).length).toBeLessThan(JSON.stringify(full).length);
  expect(getToolSchema.next!(brief, { tool_name: 'describe_image', detail: 'brief' }, {})).toMatchObject([
    { tool: 'get_tool_schema', params: { tool_name: 'describe_image', detail: 'full' } },
  ]);
});

test('an unknown name is rejected with similar names', async () => {
  await expect(describeTool('describe_imgae')).rejects.toMatchObject({
    code: 'unknown_tool',
    details: { members: { did_you_mean: ['describe_image'] } },
  });
});
