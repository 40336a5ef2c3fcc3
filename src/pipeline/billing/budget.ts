import { creditsText, type NextStep, nextSteps } from '../../catalogue/next_steps.ts';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { Budget } from '../../services/ownership/contract.ts';
import { usd } from '../../tools/price.ts';
import type { AnyTool } from '../../tools/tool.ts';
import type { CallKit } from '../kit.ts';
import { BUDGET_WARNING_PERCENT } from '../limits.ts';
import { sendable } from '../sendable.ts';
import type { ToolCall } from '../tool_call.ts';
import { withConsent } from './consent.ts';

/**
 * The same kit, but holds made through it go by what the owner allows: they count against the budget of the caller's key, and carry
 * the owner's consent. Payment knows of neither.
 * @throws from its holds: AtelierError budget_refused with the smaller call that would fit, where one exists
 */
export function withinBudget(plain: CallKit, call: ToolCall): CallKit {
  const { tool, principal, input, warnings } = call;
  const kit = withConsent(plain, call);
  const key = principal.proof?.key;
  if (!key) return kit;
  const { wallets, ownership } = kit.services;
  const budgeted: typeof wallets = {
    ...wallets,
    async hold(call) {
      try {
        const { hold, budget } = await ownership.hold(key.id, call);
        warnings.push(...nearlyUsed(key.name, budget));
        return hold;
      } catch (error) {
        throw error instanceof AtelierError && error.code === 'budget_refused'
          ? withSmallerCall(kit, error, tool, input)
          : error;
      }
    },
  };
  return { ...kit, services: { ...kit.services, wallets: budgeted } };
}

function nearlyUsed(name: string, { maxTotal, spent, maxDaily, spentToday }: Budget): string[] {
  const text = (cap: number | null, used: number, when: string): string[] =>
    cap !== null && used * 100 >= cap * BUDGET_WARNING_PERCENT
      ? [`The key "${name}" has used ${used / 1000} of its ${cap / 1000} credits ${when}.`]
      : [];
  return [...text(maxTotal, spent, 'in all'), ...text(maxDaily, spentToday, 'today')];
}

/**
 * What fits into what is left: the same tool with another value of the field its price follows, the dearest that fits; else
 * the tools that cost no more.
 */
function withSmallerCall(
  { services: { catalogue } }: CallKit,
  error: AtelierError,
  tool: AnyTool,
  input: Record<string, unknown>,
): AtelierError {
  const budget = error.details.members?.budget as { remaining: number } | undefined;
  if (!budget) return error;
  const { remaining } = budget;
  const smaller = smallerCall(tool, input, remaining);
  const canBeSent = smaller && sendable(smaller.params);
  const others = {
    action: 'Find a tool that fits',
    tool: 'search_tools',
    why: `The key may spend ${remaining} more`,
    params: { max_price_usd: usd(Math.floor(remaining)) },
  };
  return new AtelierError('budget_refused', error.message, {
    ...error.details,
    ...(smaller && { try: shortenInput(smaller.params) }),
    members: {
      ...error.details.members,
      next_steps: [...(canBeSent ? [smaller] : []), ...nextSteps(catalogue, [others])],
    },
  });
}

function smallerCall(
  { name, price }: AnyTool,
  input: Record<string, unknown>,
  remaining: number,
): (NextStep & { params: Record<string, unknown> }) | undefined {
  if (price.kind !== 'by') return undefined;
  const [fitting] = Object.entries(price.credits)
    .filter(([, credits]) => credits <= remaining)
    .sort(([, a], [, b]) => b - a);
  if (!fitting) return undefined;
  const [value, credits] = fitting;
  return {
    action: `Ask for ${price.field} "${value}"`,
    cost: credits === 0 ? 'free' : creditsText(credits),
    endpoint: `POST /api/tools/${name}`,
    why: `It fits into the ${remaining} credits left`,
    params: { ...input, [price.field]: value },
  };
}

/** Pictures are named, not repeated. */
const shortenInput = (input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'object' || (typeof value === 'string' && value.length > 200)
        ? `<the same ${name}>`
        : value,
    ]),
  );
