import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Parts } from './deps.ts';
import { invalidToken } from './refusals.ts';
import * as store from './store.ts';
import type { Budget, HoldRequest, Ownership } from './types.ts';

/** The hold and the budget of the key move in one statement, or neither does. */
export async function holdWithin(
  { database, clock }: Parts,
  { keyId, call, record }: { keyId: string; call: HoldRequest; record: Ownership['record'] },
): ReturnType<Ownership['hold']> {
  const { outcome, ...budget } = await store.hold(database, { ...call, keyId, at: clock() });
  const { id, wallet, amount, tool } = call;
  switch (outcome) {
    case 'held':
      return { hold: { id, wallet, amount, tool }, budget };
    case 'differs':
      throw new Error(`The name ${id} was already used for another hold.`);
    case 'key_ended':
      await record(wallet, 'refused_key', keyId);
      throw invalidToken('The key has expired or was revoked.');
    case 'over_total':
    case 'over_day':
      await record(wallet, 'refused_budget', keyId);
      throw budgetRefusal(outcome, budget, amount, clock());
    default:
      throw new AtelierError(outcome);
  }
}

function budgetRefusal(
  outcome: 'over_total' | 'over_day',
  budget: Budget,
  amount: number,
  at: Date,
): AtelierError {
  const isDaily = outcome === 'over_day';
  const [cap, used] = isDaily
    ? [budget.maxDaily ?? 0, budget.spentToday]
    : [budget.maxTotal ?? 0, budget.spent];
  const left = (cap - used) / 1000;
  return new AtelierError(
    'budget_refused',
    `This call costs ${creditsOf(amount)}, and the key has ${left} of its ${creditsOf(cap)} left ${isDaily ? 'today (days change at midnight UTC)' : 'in all'}. Nothing was charged, and buying credits does not help: the owner of the wallet sets the budget.`,
    {
      members: {
        budget: {
          cap: isDaily ? 'daily' : 'total',
          max_credits: cap / 1000,
          used: used / 1000,
          remaining: left,
          ...(isDaily && { resets_at: nextMidnight(at) }),
        },
      },
    },
  );
}

/** Days of budgets are days of UTC. */
const nextMidnight = (at: Date): string =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1)).toISOString();

const creditsOf = (millicredits: number): string =>
  `${millicredits / 1000} ${millicredits === 1000 ? 'credit' : 'credits'}`;
