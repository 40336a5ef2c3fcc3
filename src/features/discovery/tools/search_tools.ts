import { z } from 'zod';
import { searchTools as search } from '../../../catalog/search_index.ts';
import { FREE, highestPrice, isFree, type Price, usd } from '../../definitions/price.ts';
import { alsoCalled } from '../../definitions/spellings.ts';
import { type AnyTool, CATEGORIES, defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';

const QUERY_CHARACTERS_MAX = 200;

export const searchTools = defineTool({
  name: 'search_tools',
  title: 'Search the tools',
  category: 'account',
  summary: 'Find tools by words, category or price. Without any filter it lists all of them.',
  instead: { search_artworks: 'for art', get_tool_schema: 'for one tool' },
  words:
    'what can this server do, list all tools, is there a tool for it, can you, help, capabilities, features, prices, cost, how much does it cost, find a tool for a task, which tool, can you make it, everything you offer, services, what tools are there, which tool can do this, how much does each tool cost, price list, show only the free tools, do you support, can you edit video, audio, music, sound or 3d, is it possible, catalogue of tools, browse tools, recommend a tool, discover, anything for video, other functions, overview of tools, menu, options you have, what are you, introduction, skills, abilities, translate, speech, text generation, generate a picture from text, convert a document, do you have',
  price: FREE,
  input: z.object({
    query: alsoCalled(
      z.string().max(QUERY_CHARACTERS_MAX).default('').describe('What you want to do, in your own words.'),
      ...['q', 'search', 'keyword', 'keywords', 'text', 'term', 'task', 'description', 'goal'],
    ),
    category: z.enum([...CATEGORIES, 'free', 'all']).default('all'),
    max_price_usd: z
      .number()
      .min(-1)
      .max(1_000_000)
      .default(-1)
      .describe('Dearest price of a call in USD; 0: free tools only, -1: any.')
      .meta({ title: 'Price at most, USD' }),
  }),
  output: z.object({
    tools: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        description: z.string().describe('In a sentence; get_tool_schema has the whole.'),
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
      .filter(({ price }) => costsAtMost(price, max_price_usd))
      .map(listing);
    return { tools, total: tools.length };
  },
});

function isIn(tool: AnyTool, category: string): boolean {
  if (category === 'free') return isFree(tool.price);
  return category === 'all' || tool.category === category;
}

/** A price that depends on the steps may be small, but not zero. @param usdMax below 0: no limit */
const costsAtMost = (price: Price, usdMax: number): boolean =>
  usdMax < 0 || isFree(price) || (usdMax > 0 && usd(highestPrice(price)) <= usdMax);

function listing({ name, title, summary, category, price }: AnyTool) {
  const credit = highestPrice(price);
  return {
    name,
    title,
    description: firstSentence(summary),
    category,
    cost: { credit, usd: usd(credit) },
    free: isFree(price),
  };
}

/** First sentence only, so that a list of all tools stays short. */
const firstSentence = (text: string): string => text.split(/(?<=\.) (?=[A-Z])/)[0]!;
