import { z } from 'zod';
import { fitOf, searchTools as search } from '../../../catalog/search_index.ts';
import type { AbsentTool } from '../../../catalog/types.ts';
import { UNMET_TOPICS } from '../../../catalog/unmet_requests.ts';
import { FREE, highestPrice, isFree, type Price, usd } from '../../definitions/price.ts';
import { withAliases } from '../../definitions/spellings.ts';
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
    'what can this server do, list all tools, is there a tool for it, can you, help, capabilities, features, prices, cost, how much does it cost, find a tool for a task, which tool, can you make it, everything you offer, services, what tools are there, which tool can do this, how much does each tool cost, price list, show only the free tools, do you support, is it possible, catalogue of tools, browse tools, recommend a tool, discover, anything for it, other functions, overview of tools, menu, options you have, what are you, introduction, skills, abilities, do you have',
  price: FREE,
  input: z.object({
    query: withAliases(
      z.string().max(QUERY_CHARACTERS_MAX).default('').describe('What you want to do, in your own words.'),
      ...['q', 'search', 'keyword', 'keywords', 'text', 'term', 'task', 'description', 'goal'],
    ),
    category: z.enum([...CATEGORIES, 'free', 'all']).default('all'),
    max_price_usd: z
      .number()
      .min(-1)
      .max(1_000_000)
      .default(-1)
      .describe('Maximum price of a call in USD; 0: free tools only, -1: any.')
      .meta({ title: 'Maximum price, USD' }),
  }),
  output: z.object({
    tools: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        description: z.string().describe('One sentence; get_tool_schema has the full description.'),
        category: z.enum(CATEGORIES),
        cost: z
          .object({ credit: z.int().min(0).max(1_000_000), usd: z.number().min(0).max(1_000_000) })
          .describe('Maximum price of one call.'),
        free: z.boolean(),
      }),
    ),
    total: z.int().min(0).max(1_000_000),
    not_offered: z
      .object({
        why: z.string(),
        nearest: z.array(z.object({ tool: z.string(), does: z.string() })),
      })
      .optional()
      .describe('If no tool fits: the reason, and the closest tools with what they do.'),
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{}, { query: 'resize' }, { category: 'creative', max_price_usd: 0 }],
  next: ({ tools }) =>
    tools.slice(0, 1).map(({ name }) => ({
      action: 'See how to call it',
      tool: 'get_tool_schema',
      why: `Every field of ${name} with its default and limits`,
      params: { tool_name: name },
    })),
  async run({ query, category, max_price_usd }, { catalogue }: Pick<Services, 'catalogue'>) {
    const unmet = unmetBy(catalogue, query);
    const tools = unmet?.isElsewhere
      ? []
      : search(catalogue.tools, query)
          .filter((tool) => isIn(tool, category))
          .filter(({ price }) => costsAtMost(price, max_price_usd))
          .map(listing);
    return { tools, total: tools.length, ...(unmet && { not_offered: unmet.notOffered }) };
  },
});

/** Minimum weighted share of query words that a tool must cover. Rejects 1 % of the queries that a tool meets, and most of the others. */
const COVERAGE_MIN = 0.15;

interface Unmet {
  /** The query matches a topic that is certainly not offered. */
  readonly isElsewhere: boolean;
  readonly notOffered: { why: string; nearest: { tool: string; does: string }[] };
}

/** Why no tool meets a query, by its words; undefined where one does. */
function unmetBy(
  { tools, absent }: Pick<Services['catalogue'], 'tools' | 'absent'>,
  query: string,
): Unmet | undefined {
  const { topic, coverage } = fitOf(tools, topicsBeside(absent), query);
  if (topic)
    return { isElsewhere: true, notOffered: { why: topic.why, nearest: nearestOf(topic.nearest, tools) } };
  if (coverage >= COVERAGE_MIN) return undefined;
  return {
    isElsewhere: false,
    notOffered: {
      why: 'No tool matches well. The tools listed share only a few words with your request: read their descriptions before you call one.',
      nearest: [],
    },
  };
}

const nearestOf = (nearest: Readonly<Record<string, string>>, tools: readonly AnyTool[]) =>
  Object.entries(nearest)
    .filter(([name]) => tools.some((tool) => tool.name === name))
    .map(([tool, does]) => ({ tool, does }));

const TOPICS = UNMET_TOPICS.map(({ name, cannot, ...topic }) => ({
  ...topic,
  name,
  title: name,
  summary: cannot,
  why: `This server cannot ${cannot}.`,
}));
type Topic = (typeof TOPICS)[number];

/** Topics and absent tools as one list, cached per catalogue, because an index belongs to a list. */
const topicLists = new WeakMap<readonly AbsentTool[], readonly Topic[]>();

function topicsBeside(absent: readonly AbsentTool[]): readonly Topic[] {
  const known = topicLists.get(absent);
  if (known) return known;
  const made = absent.map(({ tool: { name, title, summary, words = '', instead = {} }, why }) => ({
    ...{ name, title, summary, words, why },
    nearest: instead,
  }));
  const list = [...TOPICS, ...made];
  topicLists.set(absent, list);
  return list;
}

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
