import { z } from 'zod';
import { briefTool } from '../../../catalog/brief_tool.ts';
import { answerJsonSchema, inputJsonSchema } from '../../../catalog/envelope_schema.ts';
import { priceText } from '../../../catalog/next_steps.ts';
import { toolWithLetters } from '../../../catalog/tool_with_letters.ts';
import { unknownTool } from '../../../catalog/unknown_tool.ts';
import { briefly } from '../../definitions/brief.ts';
import { FREE, highestPrice, usd } from '../../definitions/price.ts';
import { enumSynonyms, withAliases, withCoercion, withDerivation } from '../../definitions/spellings.ts';
import { CATEGORIES, defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';

const NAME_CHARACTERS_MAX = 100;
const SCHEMA = 'draft-2020-12';
const amount = { credit: z.int().min(0).max(1_000_000), usd: z.number().min(0).max(1_000_000) };
const schema = z.record(z.string(), z.unknown());

export const getToolSchema = defineTool({
  name: 'get_tool_schema',
  title: 'Describe a tool',
  category: 'account',
  toolset: 'always',
  summary: 'Everything needed to call one tool: input and output as JSON Schema, price and working examples.',
  instead: { search_tools: 'without a name' },
  words:
    'how to call a tool, parameters, arguments, what does a tool expect, take or accept, fields, input, output, types, json schema, documentation, example, how do I call toolname, input parameters of toolname, required fields for toolname, which options does toolname have, output format of toolname, usage of toolname, signature, json of a call, sample request, defaults, limits of a parameter, valid values, arguments of toolname, example call of toolname, how toolname works, explain toolname, toolname api, reference of a tool, openapi, function signature, which values are allowed, optional or required, details of a tool, what does a tool return',
  price: FREE,
  input: z.object({
    tool_name: withAliases(
      withDerivation(
        z
          .string()
          .min(1)
          .max(NAME_CHARACTERS_MAX)
          .describe('A tool name from search_tools.')
          .meta({ title: 'Tool' }),
        (sent) => {
          const [, name] = (typeof sent === 'string' && /\/api\/tools\/(\w+)$/.exec(sent.trim())) || [];
          return name ? { tool_name: name } : undefined;
        },
      ),
      ...['name', 'tool', 'tools', 'endpoint'],
    ),
    detail: withCoercion(
      briefly(
        z
          .enum(['brief', 'full'])
          .default('brief')
          .describe(
            'full: every limit, and the complete output as JSON Schema; thousands of tokens for some tools.',
          ),
        'full: every limit; long',
      ),
      enumSynonyms({ all: 'full', complete: 'full', short: 'brief' }),
    ),
  }),
  output: z.object({
    name: z.string(),
    title: z.string(),
    description: z.string(),
    category: z.enum(CATEGORIES),
    price: z
      .object({
        ...amount,
        by: z
          .object({ field: z.string(), credits: z.record(z.string(), amount.credit) })
          .optional()
          .describe('Only if the price depends on an input field.'),
        note: z.string().optional().describe('If no number applies.'),
      })
      .describe('Maximum price of a call of that tool. `cost` is the price of this call.'),
    input_schema: schema.describe('JSON Schema 2020-12; brief: long fields as a signature in description.'),
    output_schema: schema.describe('JSON Schema 2020-12; brief: a signature in description.'),
    examples: z
      .array(schema)
      .describe('Input bodies that work unchanged; brief: one, with handles instead of files.'),
  }),
  isDocument: true,
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{ tool_name: 'search_tools' }],
  next: ({ name, examples }, { detail }) => [
    detail === 'brief'
      ? {
          action: 'Show everything',
          tool: 'get_tool_schema',
          why: 'Every limit and every field of the response',
          params: { tool_name: name, detail: 'full' },
        }
      : {
          action: 'Call it',
          tool: name,
          why: 'This example works unchanged',
          ...(examples[0] && { params: examples[0] }),
        },
  ],
  async run({ tool_name, detail }, { catalogue }: Pick<Services, 'catalogue'>) {
    const tool = catalogue.find(tool_name) ?? toolWithLetters(catalogue.tools, tool_name);
    if (!tool) throw unknownTool(catalogue, tool_name);
    const { name, title, summary, category, price, examples } = tool;
    const credit = highestPrice(price);
    return {
      name,
      title,
      description: summary,
      category,
      price: {
        credit,
        usd: usd(credit),
        ...(price.kind === 'by' && { by: { field: price.field, credits: { ...price.credits } } }),
        ...(price.kind === 'steps' && { note: priceText(price) }),
      },
      ...(detail === 'brief'
        ? { ...briefTool(tool) }
        : {
            input_schema: inputJsonSchema(tool, SCHEMA),
            output_schema: answerJsonSchema(tool, SCHEMA, catalogue.ways),
            examples: [...examples],
          }),
    };
  },
});
