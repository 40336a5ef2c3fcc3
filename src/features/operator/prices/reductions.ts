import type { KeptRule, PriceRule, Reduction, Volume } from './types.ts';

const HOUR_MS = 3_600_000;

/** Which call a rule is asked about. */
export interface Asked {
  readonly tool: string;
  readonly at: Date;
  readonly tier?: string | undefined;
  /** Undefined: a call without a wallet. */
  readonly volume?: Volume | undefined;
}

/** Whether a rule that is in force fits a call. */
export function fits(rule: PriceRule, { tool, at, tier, volume }: Asked): boolean {
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

/** The lowest price that holds at a moment. */
export function reductionAt(rules: readonly KeptRule[], asked: Asked): Reduction {
  const { at } = asked;
  return rules
    .filter(({ madeAt, removedAt }) => madeAt <= at && !(removedAt && removedAt <= at))
    .filter((rule) => fits(rule, asked))
    .reduce<Reduction>(
      (least, { percent, name }) => (percent < least.percent ? { percent, rule: name } : least),
      NONE,
    );
}

/** Moments of the last minutes between which no rule begins or ends: now, and just before and at each change. */
export function quotedMoments(rules: readonly KeptRule[], now: Date, quotedMs: number): Date[] {
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

/** A reduced price in whole credits, rounded up. */
export const reduced = (credits: number, percent: number): number => Math.ceil((credits * percent) / 100);
