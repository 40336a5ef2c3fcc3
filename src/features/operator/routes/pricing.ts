import { z } from 'zod';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import { walletField } from '../../definitions/fields.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { TIERS_SHOWN_MAX, WEIGHT_MAX } from '../prices/limits.ts';
import type { PriceRule } from '../prices/types.ts';
import { defineAdminAction, OPERATOR_LIMIT, reasonField } from './admin_action.ts';

const NAME = /^[a-z][a-z0-9_-]{0,39}$/;
const nameField = z
  .string()
  .regex(NAME, 'must be 1 to 40 characters of a-z, 0-9, _ and -, starting with a letter, such as night');
const tierField = nameField
  .refine((name) => !name.startsWith('key_'), 'must not start with key_, the prefix of key ids')
  .describe('Your name for a group of wallets, such as gold.');
const moment = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time with zone, such as 2026-12-01T00:00:00Z' })
  .optional();
const count = z.int().min(1).max(1_000_000_000).optional();

const ruleInput = z.object({
  name: nameField.describe('Name of the rule. An existing rule with the name is replaced.'),
  percent: z
    .int('must be a whole number of percent from 0 to 100, such as 80')
    .min(0, 'must be 0 or more')
    .max(100, 'must be 100 or less: a rule can only lower list prices')
    .describe('Price of a call, in percent of the list price.'),
  reason: reasonField,
  tier: tierField.optional().describe('Only for wallets of this tier.'),
  tools: z
    .string()
    .max(2000)
    .optional()
    .describe('Only for these tools, comma-separated. Default: all tools.'),
  from_calls: count.describe(
    'Applies from this number of paid calls of the wallet in the calendar month (UTC).',
  ),
  from_credits: count.describe(
    'Applies from this number of credits charged to the wallet in the calendar month.',
  ),
  starts_at: moment.describe('Start of the rule, such as 2026-12-01T00:00:00Z.'),
  ends_at: moment.describe('End of the rule.'),
  hours: z
    .string()
    .regex(/^\d{1,2}-\d{1,2}$/, 'must be two hours of the day in UTC, such as 22-6')
    .optional()
    .describe('Only in these hours of the day (UTC): 22-6 is from 22:00 to 06:00.'),
});

/** Validates a rule. @throws AtelierError invalid_input, naming valid values */
export function readRule(
  { catalogue }: Pick<Services, 'catalogue'>,
  { name, percent, tier, starts_at: from, ends_at: until, ...input }: z.output<typeof ruleInput>,
): PriceRule {
  const { from_calls: calls, from_credits: credits } = input;
  if (calls !== undefined && credits !== undefined)
    throw invalidField(
      'from_credits',
      'A rule counts either calls or credits. Omit from_calls or from_credits.',
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
      'percent 0 makes calls free for all clients without limit. Send a tier or a volume, or 1 or more.',
    );
  const [startsAt, endsAt] = [from, until].map((at) => (at === undefined ? undefined : new Date(at)));
  if (startsAt && endsAt && startsAt >= endsAt)
    throw invalidField('ends_at', `ends_at must be after starts_at, ${startsAt.toISOString()}.`);
  if (endsAt && endsAt <= new Date())
    throw invalidField(
      'ends_at',
      'ends_at is in the past, so the rule would never apply. Send a later time.',
    );
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
      throw invalidField('tools', `${name} is free, so no rule can lower its price. Remove it from tools.`);
    if (tool.price.kind === 'steps')
      throw invalidField(
        'tools',
        `The price of ${name} is the sum of its steps. Name the tools of its steps.`,
      );
  }
  return [...new Set(names)];
}

function readHours(sent: string): { from: number; until: number } {
  const [from = 0, until = 0] = sent.split('-').map(Number);
  if (from > 23 || until > 24 || from === until)
    throw invalidField(
      'hours',
      'hours must be from 0 to 23 and until 1 to 24, and not the same: 22-6 passes midnight. Omit hours for the whole day.',
    );
  return { from, until };
}

export const setPrice = defineOperation({
  name: 'operator_price',
  methods: ['POST'],
  path: '/api/operator/price',
  tag: 'operator',
  summary: 'Sets a price rule: lower prices for a tier of wallets, above a volume, or at certain times.',
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
      note: `${ruleText(rule)} Earlier quotes are valid for 5 minutes.`,
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
  summary: 'Ends a price rule. Its quotes are valid for 5 more minutes.',
  input: z.object({ name: nameField.describe('Name of the rule, from the list.'), reason: reasonField }),
  answer: z.object({ done: z.literal(true), note: z.string() }),
  operator: 'money',
  limit: OPERATOR_LIMIT,
  async run({ name, reason }, { operator, prices }: Pick<Services, 'operator' | 'prices'>, call) {
    if (!(await operator.endRule({ who: call.operator!.who, why: reason }, name)))
      throw new AtelierError(
        'not_found',
        `No active price rule is named ${name}. GET /api/operator/desk lists them.`,
      );
    await prices.reload();
    return { done: true as const, note: `The rule ${name} has ended.` };
  },
});

export const setTier = defineAdminAction({
  name: 'tier',
  scope: 'money',
  summary: 'Assigns a wallet to a tier, for price rules and weights; none removes it.',
  input: z.object({
    wallet: walletField,
    tier: nameField.describe('Your tier name, such as gold; none: no tier.'),
    reason: reasonField,
  }),
  do: (operator, by, { wallet, tier }) =>
    operator.setTier(by, { wallet, tier: tier === 'none' ? null : tier }),
  done: ({ wallet, tier }) =>
    tier === 'none' ? `${wallet} is no longer in a tier.` : `${wallet} is in the tier ${tier}.`,
  absent: 'Nothing changed: the wallet is already in that tier, or in none.',
});

export const setWeight = defineAdminAction({
  name: 'weight',
  scope: 'money',
  summary:
    'Sets the queue weight of a wallet, one of its keys, or every wallet of a tier: 2 is scheduled twice as often.',
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
      .min(1, 'must be 1 or more')
      .max(WEIGHT_MAX, `must be ${WEIGHT_MAX} or less, so that other clients do not wait too long`)
      .describe('Queue weight; the default of all clients is 1.'),
    reason: reasonField,
  }),
  do: (operator, by, { who, weight }) => operator.setWeight(by, { who, weight }),
  done: ({ who, weight }) => `${who} has the weight ${weight} in the queue.`,
  absent: 'Nothing changed: the weight is the same.',
});

const price = z.object({
  name: z.string(),
  text: z.string().describe('The rule as text.'),
  percent: z.number().min(0).max(100),
});

export const showPricing = defineOperation({
  name: 'operator_desk',
  methods: ['GET'],
  path: '/api/operator/desk',
  tag: 'operator',
  summary: 'Price rules, wallet tiers and queue weights.',
  input: z.object({}),
  answer: z.object({
    rules: z.array(price).describe('Active rules. The lowest applicable price counts.'),
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
