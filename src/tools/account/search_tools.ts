import { z } from 'zod';
import { searchTools as search } from '../../catalogue/search_index.ts';
import type { Services } from '../../services/contract.ts';
import { FREE, highestPrice, usd } from '../price.ts';
import { type AnyTool, CATEGORIES, defineTool } from '../tool.ts';

const QUERY_CHARACTERS_MAX = 200;

export const searchTools = defineTool({
  name: 'search_tools',
  title: 'Search the tools',
  category: 'account',
  summary: 'Find tools by words, category or price. Without any filter it lists all of them.',
  words:
    'what can this server do, list all tools, help, capabilities, features, prices, cost, how much does it cost, find a tool for a task',
  price: FREE,
  input: z.object({
    query: z
      .string()
      .max(QUERY_CHARACTERS_MAX)
      .default('')
      .describe('What you want to do, in your own words; order, form and small typos do not matter.'),
    category: z.enum([...CATEGORIES, 'free', 'all']).default('all'),
    max_price_usd: z
      .number()
      .min(-1)
      .max(1_000_000)
      .default(-1)
      .describe('Dearest price of a call in US dollars; 0 means free tools only, -1 any price.'),
  }),
  output: z.object({
    tools: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        description: z.string(),
        category: z.enum(CATEGORIES),
        cost: z
          .object({ credit: z.int().min(0).max(1_000_000), usd: z.number().min(0).max(1_000_000) })
          .describe('The most one call can cost.'),
        free: z.boolean(),
      }),
    ),
    total: z.int().min(0).max(1_000_000),
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{}, { query: 'resize' }, { category: 'creative', max_price_usd: 0 }],
  next: ({ tools }) =>
    tools.slice(0, 1).map(({ name }) => ({
      action: 'See how to call it',
      tool: 'get_tool_schema',
      why: `Every field of ${name} with its default and bounds`,
      params: { tool_name: name },
    })),
  async run({ query, category, max_price_usd }, { catalogue }: Pick<Services, 'catalogue'>) {
    const tools = search(catalogue.tools, query)
      .filter((tool) => isIn(tool, category))
      .filter((tool) => max_price_usd < 0 || usd(highestPrice(tool.price)) <= max_price_usd)
      .map(listing);
    return { tools, total: tools.length };
  },
});

function isIn(tool: AnyTool, category: string): boolean {
  if (category === 'free') return highestPrice(tool.price) === 0;
  return category === 'all' || tool.category === category;
}

function listing({ name, title, summary, category, price }: AnyTool) {
  const credit = highestPrice(price);
  return {
    name,
    title,
    description: summary,
    category,
    cost: { credit, usd: usd(credit) },
    free: credit === 0,
  };
}
