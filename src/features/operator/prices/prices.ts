import type { Database } from '../../../core/database/types.ts';
import { highestPrice, type Price } from '../../definitions/price.ts';
import type { AnyTool } from '../../definitions/tool.ts';
import { QUOTE_HOLDS_MS, RULES_KEPT_MS, RULES_REMEMBERED_MS } from './limits.ts';
import * as store from './store.ts';
import type { PriceRule, Prices, Reduction, StoredRule, Volume } from './types.ts';

interface PricesDeps {
  readonly database: Database;
  readonly clock?: () => Date;
  /** Called where the rules cannot be read; the cached rules stay in force. */
  report?(error: unknown): void;
}

interface Read {
  readonly at: number;
  readonly rules: readonly StoredRule[];
  readonly hasWeights: boolean;
}

interface Payer {
  readonly tierAt: (at: Date) => string | undefined;
  readonly volumeAt: (at: Date) => Volume | undefined;
}

const ANONYMOUS_PAYER: Payer = { tierAt: () => undefined, volumeAt: () => undefined };

interface RuleCache {
  /** The rules as last read. */
  known(): Read;
  /** The rules, read again if older than `RULES_KEPT_MS`. */
  current(): Promise<Read>;
  inForce(): readonly StoredRule[];
  reload(): Promise<void>;
}

/** Caches rules for `RULES_KEPT_MS`; concurrent reads share one query. */
async function createRuleCache(load: () => Promise<Read>): Promise<RuleCache> {
  let known = await load();
  let inForce = known.rules.filter(isInForce);
  let loading: Promise<void> | undefined;
  const read = async (): Promise<void> => {
    known = await load();
    const now = known.rules.filter(isInForce);
    if (JSON.stringify(now) !== JSON.stringify(inForce)) inForce = now;
  };
  const reload = (): Promise<void> => {
    loading ??= read().finally(() => {
      loading = undefined;
    });
    return loading;
  };
  return {
    known: () => known,
    async current() {
      if (isOld(known)) await reload();
      return known;
    },
    inForce: () => inForce,
    async reload() {
      await loading;
      await reload();
    },
  };
}

const isOld = ({ at }: Read): boolean => performance.now() - at > RULES_KEPT_MS;

/** Prices without a wallet. Returns the same array until a price changes. */
function createAnonymousPrices(
  kept: RuleCache,
  { clock, report }: Required<Pick<PricesDeps, 'clock' | 'report'>>,
): Prices['forEverybody'] {
  /** Result for the last requested list. */
  let list: PricedList | undefined;
  return (tools) => {
    const known = kept.known();
    if (isOld(known)) void kept.current().catch(report);
    if (list?.of === tools && list.by === known && performance.now() - list.at < LIST_KEPT_MS)
      return list.priced;
    const open = known.rules.filter((rule) => !isForSomeWallets(rule));
    if (open.length === 0) return tools;
    const asked = { now: clock(), quotedMs: QUOTE_HOLDS_MS, payer: ANONYMOUS_PAYER };
    const percents = tools.map(({ name }) => quoted(open, { ...asked, tool: name })[0].percent);
    const key = percents.join();
    const isSame = list?.of === tools && list.key === key;
    const all = list && isSame ? list.priced : tools.map((tool, at) => priced(tool, percents[at]!));
    list = { of: tools, by: known, at: performance.now(), key, priced: all };
    return all;
  };
}

/** Reads the rules before it returns. See docs/decisions/0080-price-rules.md. */
export async function openPrices(parts: PricesDeps): Promise<Prices> {
  const { database, clock = () => new Date(), report = () => {} } = parts;
  const kept = await createRuleCache(async () => ({
    at: performance.now(),
    ...(await store.selectRules(database, new Date(clock().getTime() - RULES_REMEMBERED_MS))),
  }));
  const forEverybody = createAnonymousPrices(kept, { clock, report });
  return {
    forEverybody,
    async forWallet(tools, wallet) {
      const { rules } = await kept.current();
      if (wallet === undefined || !rules.some(isForSomeWallets)) return forEverybody(tools);
      const asked = { now: clock(), quotedMs: QUOTE_HOLDS_MS };
      const payer = await payerOf(database, { ...asked, wallet, rules });
      return tools.map((tool) =>
        priced(tool, quoted(rules, { ...asked, tool: tool.name, payer })[0].percent),
      );
    },
    async reductions(tool, { wallet, quotedMs = QUOTE_HOLDS_MS }) {
      const { rules } = await kept.current();
      if (rules.length === 0) return [{ percent: 100 }];
      const now = clock();
      const payer = await payerOf(database, { wallet, rules, now, quotedMs });
      return quoted(rules, { tool, now, payer, quotedMs });
    },
    async weightOf(wallet, key) {
      if (wallet === undefined || !(await kept.current()).hasWeights) return 1;
      return store.selectWeight(database, wallet, key);
    },
    rules: kept.inForce,
    reload: kept.reload,
  };
}

const isInForce = ({ removedAt }: StoredRule): boolean => removedAt === undefined;

/** Cache lifetime of a priced list, which one call reads many times. */
const LIST_KEPT_MS = 1_000;

interface PricedList {
  readonly of: readonly AnyTool[];
  readonly by: Read;
  readonly at: number;
  readonly key: string;
  readonly priced: readonly AnyTool[];
}

/** Whether a rule applies only to some wallets. */
const isForSomeWallets = ({ tier, volume }: StoredRule): boolean =>
  tier !== undefined || volume !== undefined;

type Quoted = [Reduction, ...Reduction[]];

/** Reductions that were valid within `quotedMs` before `now`, lowest price first. */
function quoted(
  rules: readonly StoredRule[],
  { tool, payer, now, quotedMs }: { tool: string; payer: Payer; now: Date; quotedMs: number },
): Quoted {
  const all = quotedMoments(rules, now, quotedMs).map((at) =>
    reductionAt(rules, { tool, at, tier: payer.tierAt(at), volume: payer.volumeAt(at) }),
  );
  return all.sort((one, other) => one.percent - other.percent) as Quoted;
}

interface PayerAsked {
  readonly wallet: string | undefined;
  readonly rules: readonly StoredRule[];
  readonly now: Date;
  readonly quotedMs: number;
}

/** Tier and volumes of a wallet, as far as a rule depends on them. */
async function payerOf(database: Database, { wallet, rules, now, quotedMs }: PayerAsked): Promise<Payer> {
  if (wallet === undefined || !rules.some(isForSomeWallets)) return ANONYMOUS_PAYER;
  const row = await store.selectTier(database, wallet);
  const volumes = new Map<number, Volume>();
  if (rules.some(({ volume }) => volume !== undefined))
    for (const at of new Set(
      [now, new Date(now.getTime() - quotedMs)].map((one) => monthOf(one).getTime()),
    )) {
      const until = new Date(at);
      until.setUTCMonth(until.getUTCMonth() + 1);
      volumes.set(at, await store.selectVolume(database, { wallet, from: new Date(at), until }));
    }
  return {
    tierAt: (at) => (row && at < row.changedAt ? row.earlierTier : row?.tier) ?? undefined,
    volumeAt: (at) => volumes.get(monthOf(at).getTime()),
  };
}

/** Start of the calendar month of a date, in UTC. */
const monthOf = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()));

/** The tool with a price reduced to `percent`, and its list price. */
function priced(tool: AnyTool, percent: number): AnyTool {
  const { listPrice = tool.price } = tool;
  const price = reducedPrice(listPrice, percent);
  return highestPrice(price) < highestPrice(listPrice) ? { ...tool, listPrice, price } : tool;
}

function reducedPrice(price: Price, percent: number): Price {
  if (price.kind === 'flat') return { ...price, credits: reduced(price.credits, percent) };
  if (price.kind !== 'by') return price;
  const credits = Object.entries(price.credits).map(([value, one]) => [value, reduced(one, percent)]);
  return { ...price, credits: Object.fromEntries(credits) };
}

const HOUR_MS = 3_600_000;

/** The call to which rules are applied. */
interface Asked {
  readonly tool: string;
  readonly at: Date;
  readonly tier?: string | undefined;
  /** Undefined: a call without a wallet. */
  readonly volume?: Volume | undefined;
}

/** Whether an active rule applies to a call. */
function fits(rule: PriceRule, { tool, at, tier, volume }: Asked): boolean {
  if (rule.tools && !rule.tools.includes(tool)) return false;
  if (rule.tier !== undefined && rule.tier !== tier) return false;
  if (rule.volume && !(volume && volume[rule.volume.unit] >= rule.volume.min)) return false;
  if (rule.startsAt && at < rule.startsAt) return false;
  if (rule.endsAt && at >= rule.endsAt) return false;
  return !rule.hours || isWithin(at.getUTCHours(), rule.hours);
}

const isWithin = (hour: number, { from, until }: { from: number; until: number }): boolean =>
  from < until ? hour >= from && hour < until : hour >= from || hour < until;

const NONE: Reduction = { percent: 100 };

/** The reduction with the lowest price at a time. */
export function reductionAt(rules: readonly StoredRule[], asked: Asked): Reduction {
  const { at } = asked;
  return rules
    .filter(({ madeAt, removedAt }) => madeAt <= at && !(removedAt && removedAt <= at))
    .filter((rule) => fits(rule, asked))
    .reduce<Reduction>(
      (least, { percent, name }) => (percent < least.percent ? { percent, rule: name } : least),
      NONE,
    );
}

/** Times to evaluate so that no change of a rule within `quotedMs` is missed: now, its start, and 1 ms before and at each change. */
export function quotedMoments(rules: readonly StoredRule[], now: Date, quotedMs: number): Date[] {
  const since = now.getTime() - quotedMs;
  const hours = Array.from(
    { length: Math.ceil(quotedMs / HOUR_MS) },
    (_, ago) => new Date(now).setUTCMinutes(0, 0, 0) - ago * HOUR_MS,
  );
  const changes = rules
    .flatMap(({ madeAt, removedAt, startsAt, endsAt }) => [madeAt, removedAt, startsAt, endsAt])
    .map((at) => at?.getTime());
  const moments = [now.getTime(), since];
  for (const at of [...changes, ...hours])
    if (at !== undefined && at > since && at <= now.getTime()) moments.push(at - 1, at);
  return [...new Set(moments)].map((at) => new Date(at));
}

/** A reduced price, rounded up to whole credits. */
export const reduced = (credits: number, percent: number): number => Math.ceil((credits * percent) / 100);

/** Prices without rules, for catalogues without a database. */
export const LIST_PRICES: Prices = {
  forEverybody: (tools) => tools,
  forWallet: async (tools) => tools,
  reductions: async () => [{ percent: 100 }],
  weightOf: async () => 1,
  rules: () => [],
  reload: async () => {},
};
