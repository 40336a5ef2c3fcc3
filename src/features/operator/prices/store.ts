import type { Queryable } from '../../../core/database/types.ts';
import type { PriceRule, StoredRule, Volume } from './types.ts';

interface RuleRow {
  readonly name: string;
  readonly percent: number;
  readonly tier: string | null;
  readonly tools: string[] | null;
  readonly unit: 'calls' | 'credits' | null;
  readonly min: number | null;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly from: number | null;
  readonly until: number | null;
  readonly madeAt: Date;
  readonly removedAt: Date | null;
}

/** Active rules and those removed after `removedSince`, and whether any weight is set. */
export async function selectRules(
  database: Queryable,
  removedSince: Date,
): Promise<{ rules: StoredRule[]; hasWeights: boolean }> {
  const rows = await database.query<RuleRow>(
    `select name, percent, tier, tools, volume_unit as unit, volume_min as min, starts_at as "startsAt", ends_at as "endsAt",
       hour_from as "from", hour_until as until, made_at as "madeAt", removed_at as "removedAt"
     from price_rules where removed_at is null or removed_at > $1 order by name, number`,
    [removedSince],
  );
  const [any] = await database.query<{ weights: boolean }>(
    'select exists (select from queue_weights) as weights',
  );
  return { rules: rows.map(ruleOf), hasWeights: any!.weights };
}

const ruleOf = ({ unit, min, from, until, ...row }: RuleRow): StoredRule => ({
  name: row.name,
  percent: row.percent,
  tier: row.tier ?? undefined,
  tools: row.tools ?? undefined,
  volume: unit !== null && min !== null ? { unit, min } : undefined,
  startsAt: row.startsAt ?? undefined,
  endsAt: row.endsAt ?? undefined,
  hours: from !== null && until !== null ? { from, until } : undefined,
  madeAt: row.madeAt,
  removedAt: row.removedAt ?? undefined,
});

/** Replaces the rule of the same name. */
export async function insertRule(tx: Queryable, rule: PriceRule, at: Date): Promise<void> {
  await removeRule(tx, rule.name, at);
  const { name, percent, tier, tools, volume, startsAt, endsAt, hours } = rule;
  await tx.query(
    `insert into price_rules (name, percent, tier, tools, volume_unit, volume_min, starts_at, ends_at, hour_from, hour_until, made_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      name,
      percent,
      tier ?? null,
      tools ?? null,
      volume?.unit ?? null,
      volume?.min ?? null,
      startsAt ?? null,
      endsAt ?? null,
      hours?.from ?? null,
      hours?.until ?? null,
      at,
    ],
  );
}

export async function removeRule(tx: Queryable, name: string, at: Date): Promise<boolean> {
  const rows = await tx.query(
    'update price_rules set removed_at = $2 where name = $1 and removed_at is null returning 1',
    [name, at],
  );
  return rows.length === 1;
}

export async function countRules(tx: Queryable): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    'select count(*) as count from price_rules where removed_at is null',
  );
  return row!.count;
}

/** Assigns a wallet to a tier. @param tier null: none @returns false where nothing changed */
export async function setTier(
  tx: Queryable,
  { wallet, tier, at }: { wallet: string; tier: string | null; at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into wallet_tiers (wallet, tier, changed_at) select $1, $2, $3 where $2::text is not null
       or exists (select from wallet_tiers where wallet = $1)
     on conflict (wallet) do update set earlier_tier = wallet_tiers.tier, tier = excluded.tier, changed_at = excluded.changed_at
       where wallet_tiers.tier is distinct from excluded.tier
     returning 1`,
    [wallet, tier, at],
  );
  return rows.length === 1;
}

export interface TierRow {
  readonly tier: string | null;
  readonly earlierTier: string | null;
  readonly changedAt: Date;
}

export async function selectTier(database: Queryable, wallet: string): Promise<TierRow | undefined> {
  const [row] = await database.query<TierRow>(
    `select tier, earlier_tier as "earlierTier", changed_at as "changedAt" from wallet_tiers where wallet = $1`,
    [wallet],
  );
  return row;
}

export const selectTiers = (
  database: Queryable,
  limit: number,
): Promise<{ wallet: string; tier: string; changedAt: Date }[]> =>
  database.query(
    `select wallet, tier, changed_at as "changedAt" from wallet_tiers where tier is not null order by changed_at desc limit $1`,
    [limit],
  );

/** Sets a weight. The default of 1 needs no row. */
export async function setWeight(tx: Queryable, who: string, weight: number): Promise<boolean> {
  const rows =
    weight === 1
      ? await tx.query('delete from queue_weights where who = $1 returning 1', [who])
      : await tx.query(
          `insert into queue_weights (who, weight) values ($1, $2)
           on conflict (who) do update set weight = excluded.weight where queue_weights.weight <> excluded.weight returning 1`,
          [who, weight],
        );
  return rows.length === 1;
}

export const selectWeights = (database: Queryable): Promise<{ who: string; weight: number }[]> =>
  database.query('select who, weight from queue_weights order by who');

export async function selectWeight(
  database: Queryable,
  wallet: string,
  key: string | undefined,
): Promise<number> {
  const [row] = await database.query<{ weight: number }>('select weight_of($1, $2) as weight', [
    wallet,
    key ?? null,
  ]);
  return row!.weight;
}

/** Whether a key of a wallet with this id is valid. */
export async function hasKey(database: Queryable, id: string, at: Date): Promise<boolean> {
  const rows = await database.query(
    'select from wallet_keys where id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)',
    [id, at],
  );
  return rows.length > 0;
}

/** Charges of a wallet from `from` until before `until`. */
export async function selectVolume(
  database: Queryable,
  { wallet, from, until }: { wallet: string; from: Date; until: Date },
): Promise<Volume> {
  const [row] = await database.query<Volume>(
    `select count(*) as calls, coalesce(floor(sum(amount) / 1000), 0)::float8 as credits from transfers
     where debit = 'wallet:' || $1 and phase = 'post' and code = 'tool_call' and at >= $2 and at < $3`,
    [wallet, from, until],
  );
  return row!;
}
