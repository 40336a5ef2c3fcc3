import { z } from 'zod';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import { walletField } from '../../definitions/fields.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { TIERS_SHOWN_MAX, WEIGHT_MAX } from '../prices/limits.ts';
import type { PriceRule } from '../prices/types.ts';
import { defineSimpleAct, OPERATOR_LIMIT, reasonField } from './act.ts';

const NAME = /^[a-z][a-z0-9_-]{0,39}$/;
const nameField = z
  .string()
  .regex(NAME, 'must be 1 to 40 of a to z, 0 to 9, _ and -, beginning with a letter, such as night');
const tierField = nameField
  .refine((name) => !name.startsWith('key_'), 'must not begin with key_, as ids of keys do')
  .describe('A name of yours for a group of wallets, such as gold.');
const moment = z.iso
  .datetime({ offset: true, error: 'must be a moment with its zone, such as 2026-12-01T00:00:00Z' })
  .optional();
const count = z.int().min(1).max(1_000_000_000).optional();

const ruleInput = z.object({
  name: nameField.describe('Names the rule; one of the same name is replaced.'),
  percent: z
    .int('must be a whole number of percent from 0 to 100, such as 80')
    .min(0, 'must be 0 or more: a price is never negative')
    .max(100, 'must be 100 or less: a rule lowers prices, and the list is the most a call costs')
    .describe('What a call then costs, of the list price.'),
  reason: reasonField,
  tier: tierField.optional().describe('Only for wallets of this tier.'),
  tools: z
    .string()
    .max(2000)
    .optional()
    .describe('Only for these tools: names with commas between them. Absent: every tool.'),
  from_calls: count.describe('From so many paid calls of the wallet in the calendar month (UTC) on.'),
  from_credits: count.describe('From so many credits charged to the wallet in the calendar month on.'),
  starts_at: moment.describe('When the rule begins, such as 2026-12-01T00:00:00Z.'),
  ends_at: moment.describe('When it ends.'),
  hours: z
    .string()
    .regex(/^\d{1,2}-\d{1,2}$/, 'must be two hours of the day in UTC, such as 22-6')
    .optional()
    .describe('Only in these hours of the day, in UTC: 22-6 is from 22:00 until before 6:00.'),
});

/** @throws AtelierError invalid_input, which says what to write instead */
export function readRule(
  { catalogue }: Pick<Services, 'catalogue'>,
  { name, percent, tier, starts_at: from, ends_at: until, ...input }: z.output<typeof ruleInput>,
): PriceRule {
  const { from_calls: calls, from_credits: credits } = input;
  if (calls !== undefined && credits !== undefined)
    throw invalidField(
      'from_credits',
      'A rule counts calls or credits. Leave from_calls or from_credits out.',
    );
  const volume =
    calls !== undefined
      ? ({ unit: 'calls', min: calls } as const)
      : credits !== undefined
        ? ({ unit: 'credits', min: credits } as const)
        : undefined;
  if (percent === 0 && tier === undefined && volume === undefined)
    throw invalidField(
      'percent',
      'percent 0 would make calls free for everybody, without any limit. Name a tier or a volume, or write 1 or more.',
    );
  const [startsAt, endsAt] = [from, until].map((at) => (at === undefined ? undefined : new Date(at)));
  if (startsAt && endsAt && startsAt >= endsAt)
    throw invalidField('ends_at', `ends_at must be after starts_at, ${startsAt.toISOString()}.`);
  if (endsAt && endsAt <= new Date())
    throw invalidField('ends_at', 'ends_at has passed, so the rule would never hold. Write a later moment.');
  return {
    name,
    percent,
    tier,
    volume,
    startsAt,
    endsAt,
    tools: input.tools === undefined ? undefined : soldTools(catalogue, input.tools),
    hours: input.hours === undefined ? undefined : readHours(input.hours),
  };
}

function soldTools({ find, similar }: Services['catalogue'], sent: string): string[] {
  const names = sent.split(',').map((one) => one.trim());
  for (const name of names) {
    const tool = find(name);
    if (!tool) {
      const [near] = similar(name);
      throw invalidField(
        'tools',
        `Unknown tool ${name}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
      );
    }
    if (tool.price.kind === 'free')
      throw invalidField('tools', `${name} is free, so no rule can lower its price. Leave it out.`);
    if (tool.price.kind === 'steps')
      throw invalidField('tools', `${name} costs what its steps cost. Name the tools of its steps.`);
  }
  return [...new Set(names)];
}

function readHours(sent: string): { from: number; until: number } {
  const [from = 0, until = 0] = sent.split('-').map(Number);
  if (from > 23 || until > 24 || from === until)
    throw invalidField(
      'hours',
      'hours must be from 0 to 23 and until 1 to 24, and not the same: 22-6 passes midnight. Leave hours out for the whole day.',
    );
  return { from, until };
}

export const setPrice = defineOperation({
  name: 'operator_price',
  methods: ['POST'],
  path: '/api/operator/price',
  tag: 'operator',
  summary: 'Sets a price rule: lower prices for a tier of wallets, from a volume on, or at some time.',
  input: ruleInput,
  answer: z.object({ done: z.literal(true), note: z.string() }),
  operator: 'money',
  limit: OPERATOR_LIMIT,
  async run(input, services: Pick<Services, 'operator' | 'catalogue' | 'prices'>, { operator }) {
    const rule = readRule(services, input);
    await services.operator.setRule({ who: operator!.who, why: input.reason }, rule);
    await services.prices.reload();
    return {
      done: true as const,
      note: `${ruleText(rule)} Prices that were quoted before hold for five minutes.`,
    };
  },
});

/** "Rule night: 80 % of the list price for upscale_image, from 22:00 to 6:00 UTC." */
export function ruleText({ name, percent, ...rule }: PriceRule): string {
  const { tier, tools, volume, startsAt, endsAt, hours } = rule;
  const terms = [
    ...(tools ? [`of ${tools.join(', ')}`] : []),
    ...(tier === undefined ? [] : [`for wallets of the tier ${tier}`]),
    ...(volume ? [`from ${volume.min} ${volume.unit} in the month on`] : []),
    ...(startsAt ? [`from ${startsAt.toISOString()}`] : []),
    ...(endsAt ? [`until ${endsAt.toISOString()}`] : []),
    ...(hours ? [`from ${hours.from}:00 to ${hours.until}:00 UTC`] : []),
  ];
  return `Rule ${name}: ${percent} % of the list price${terms.length > 0 ? ` ${terms.join(', ')}` : ', for every call'}.`;
}

export const endPrice = defineOperation({
  name: 'operator_end_price',
  methods: ['POST'],
  path: '/api/operator/end_price',
  tag: 'operator',
  summary: 'Ends a price rule. Prices that it has quoted hold for five more minutes.',
  input: z.object({ name: nameField.describe('Of the rule, as the list has it.'), reason: reasonField }),
  answer: z.object({ done: z.literal(true), note: z.string() }),
  operator: 'money',
  limit: OPERATOR_LIMIT,
  async run({ name, reason }, { operator, prices }: Pick<Services, 'operator' | 'prices'>, call) {
    if (!(await operator.endRule({ who: call.operator!.who, why: reason }, name)))
      throw new AtelierError(
        'not_found',
        `No price rule ${name} is in force. GET /api/operator/desk lists them.`,
      );
    await prices.reload();
    return { done: true as const, note: `The rule ${name} has ended.` };
  },
});

export const setTier = defineSimpleAct({
  name: 'tier',
  scope: 'money',
  summary: 'Puts a wallet into a tier, for price rules and weights; none takes it out.',
  input: z.object({
    wallet: walletField,
    tier: nameField.describe('A name of yours, such as gold; none: no tier any more.'),
    reason: reasonField,
  }),
  do: (operator, by, { wallet, tier }) =>
    operator.setTier(by, { wallet, tier: tier === 'none' ? null : tier }),
  done: ({ wallet, tier }) =>
    tier === 'none' ? `${wallet} is in no tier any more.` : `${wallet} is in the tier ${tier}.`,
  absent: 'Nothing changed: the wallet is in that tier already, or is in none.',
});

export const setWeight = defineSimpleAct({
  name: 'weight',
  scope: 'money',
  summary:
    'Sets how often a wallet, one of its keys, or every wallet of a tier has its turn in the queue: 2 is twice as often.',
  input: z.object({
    who: z
      .union([walletField, nameField], {
        error: 'must be a wallet (0x…), the id of a key (key_…) or the name of a tier',
      })
      .describe(
        'A wallet (0x…), a key of one by its id (key_…), or the name of a tier. The weight of the key precedes that of its wallet, and that of the wallet that of its tier.',
      ),
    weight: z
      .int()
      .min(1, 'must be 1 or more: everybody has a turn')
      .max(WEIGHT_MAX, `must be ${WEIGHT_MAX} or less, so that other callers do not wait long`)
      .describe('Turns for one of everybody else; 1 is what everybody has.'),
    reason: reasonField,
  }),
  do: (operator, by, { who, weight }) => operator.setWeight(by, { who, weight }),
  done: ({ who, weight }) => `${who} has the weight ${weight} in the queue.`,
  absent: 'Nothing changed: that is its weight already.',
});

const price = z.object({
  name: z.string(),
  text: z.string().describe('The rule in words.'),
  percent: z.number().min(0).max(100),
});

export const showDesk = defineOperation({
  name: 'operator_desk',
  methods: ['GET'],
  path: '/api/operator/desk',
  tag: 'operator',
  summary: 'The cash desk: price rules, tiers of wallets, weights in the queue.',
  input: z.object({}),
  answer: z.object({
    rules: z.array(price).describe('In force. Of those that fit a call the lowest price counts.'),
    tiers: z
      .array(z.object({ wallet: z.string(), tier: z.string(), since: z.string() }))
      .describe(`The latest ${TIERS_SHOWN_MAX}.`),
    weights: z.array(z.object({ who: z.string(), weight: z.int().min(1).max(WEIGHT_MAX) })),
  }),
  operator: 'read',
  limit: OPERATOR_LIMIT,
  async run(_input, { operator, prices }: Pick<Services, 'operator' | 'prices'>) {
    const { tiers, weights } = await operator.terms();
    return {
      rules: prices.rules().map((rule) => ({ name: rule.name, text: ruleText(rule), percent: rule.percent })),
      tiers: tiers.map(({ wallet, tier, changedAt }) => ({ wallet, tier, since: changedAt.toISOString() })),
      weights: [...weights],
    };
  },
});
