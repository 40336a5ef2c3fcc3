import { expect, test } from 'vitest';
import { z } from 'zod';
import { sampleTools } from '../../tests/support/sample_tools.ts';
import { imageAnswer, outputField } from '../features/definitions/fields.ts';
import { credits, isFree } from '../features/definitions/price.ts';
import { type AnyTool, defineTool } from '../features/definitions/tool.ts';
import { tools } from '../features/tools.ts';
import { mcpTool, viewOf } from './mcp_tools.ts';
import { paymentProblem } from './openapi_failures.ts';

const byName = (name: string) => mcpTool(sampleTools.find((tool) => tool.name === name)!);

/** Responds with an image, a vector trace and a constant field. */
const paint: AnyTool = defineTool({
  name: 'paint',
  title: 'Paint',
  category: 'creative',
  summary: 'Paint something.',
  instead: { draw: 'for lines' },
  price: credits(1),
  input: z.object({ subject: z.string(), output: outputField }),
  output: z.object({ ...imageAnswer, file_b64: z.string(), svg_content: z.string() }),
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  examples: [],
  run: () => Promise.reject(new Error('not called')),
});

test('the first sentence of a description states the price', () => {
  expect(byName('turn_image').description).toBe('Free. Turn a picture by quarter turns.');
  expect(mcpTool(paint).description).toBe(
    'Costs 1 credit (0.10 USD). Paint something. Instead: draw for lines.',
  );
  expect(byName('describe_image').description).toBe(
    'Costs 1 credit (0.10 USD) for tier standard, 2 credits (0.20 USD) for tier premium. Put a picture into words.',
  );
});

test('the price is also available as metadata', () => {
  expect(byName('describe_image')._meta?.['io.github.atelier/price']).toEqual({
    credit: 2,
    usd: 0.2,
    by: { field: 'tier', credits: { standard: 1, premium: 2 } },
  });
});

test('fields common to all image tools are not repeated in each schema', () => {
  const { inputSchema } = mcpTool(paint);

  expect(Object.keys(inputSchema.properties)).toEqual(['subject', 'payer', 'dry_run']);
  expect(inputSchema.required).toEqual(['subject']);
});

test('output schemas omit file bytes and common response fields', () => {
  const { outputSchema } = mcpTool(paint);
  const names = Object.keys(outputSchema.properties);

  expect(names).toEqual(['svg_content']);
});

test('an error response is valid against the output schema of every tool', () => {
  const members = new Set(Object.keys(paymentProblem.shape));
  for (const tool of tools) {
    const { properties, required } = mcpTool(tool).outputSchema;
    expect(required).toBeUndefined();
    // A common field must satisfy both schemas: only fields with equal types qualify.
    const shared = Object.keys(properties).filter((name) => members.has(name));
    expect(['code', 'cost', 'credits', 'next_steps', 'did_you_mean', 'title', 'tool']).toEqual(
      expect.arrayContaining(shared),
    );
  }
});

test('schemas allow additional properties, so that new fields do not break clients', () => {
  expect(JSON.stringify([...sampleTools, paint].map(mcpTool))).not.toContain('"additionalProperties":false');
});

const shownBy = (view: string | undefined) =>
  tools.filter((tool) => viewOf(tool) === view).map(({ name }) => name);

test('tools that turn an image into an image use the comparison view', () => {
  expect(shownBy('compare')).toEqual(
    tools
      .filter(({ output, input }) => 'result_url' in output.shape && 'image' in input.shape)
      .map(({ name }) => name),
  );
  expect(shownBy('compare')).toEqual(
    expect.arrayContaining(['resize_image', 'vectorize_image', 'print_ready']),
  );
});

test('tools that list artworks or files use the contact sheet view', () => {
  expect(shownBy('contact_sheet')).toEqual(['search_artworks', 'batch_download', 'list_assets']);
});

test('every paid tool has a view that shows its quote', () => {
  const paid = tools.filter(({ price }) => !isFree(price));
  expect(paid.filter((tool) => viewOf(tool) === undefined)).toEqual([]);
  expect(shownBy('cost')).toEqual(expect.arrayContaining(['register_hash', 'get_artwork']));
});
