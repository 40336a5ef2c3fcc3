import { AtelierError, invalidField } from '../errors/atelier_error.ts';
import type { Rehearsal } from '../operations/rehearsal.ts';
import { rateLimited } from '../services/limiter/rate_limited.ts';
import { memoryIsTaken } from '../services/visits/visits.ts';
import { highestPrice, usd } from '../tools/price.ts';
import type { AnyTool } from '../tools/tool.ts';
import { likelyPrice } from './billing/likely_price.ts';
import { requirePayment } from './billing/payment.ts';
import type { Caller } from './caller.ts';
import type { CallKit } from './kit.ts';
import { generalLimit, policyOf } from './rate_limit.ts';
import { stoppedInTime } from './run_tool.ts';

interface Rehearsed {
  readonly tool: AnyTool;
  /** What the tool would be called with, as far as its price depends on it. */
  readonly raw: Record<string, unknown>;
  readonly caller: Caller;
}

/**
 * The failure a call of the tool would be answered, made by what makes it there, and marked `_sandbox`. Nobody is refused, and nothing
 * taken or held. @throws AtelierError always; invalid_input of a tool that cannot fail so
 */
export async function rehearse(kit: CallKit, failure: Rehearsal, asked: Rehearsed): Promise<never> {
  const isPaidOnly = failure === '402' || failure === 'refund';
  if (isPaidOnly && highestPrice(asked.tool.price) === 0) throw neverCharged(asked.tool);
  const { code, message, details } = await FAILURES[failure](kit, asked);
  throw new AtelierError(code, message, {
    ...details,
    isRehearsed: true,
    members: { ...details.members, _sandbox: true },
  });
}

const FAILURES: Record<Rehearsal, (kit: CallKit, asked: Rehearsed) => Promise<AtelierError>> = {
  '402': unpaidCall,
  '429': async (kit, { tool }) => {
    const policy = policyOf(kit, generalLimit(kit, tool));
    return rateLimited(policy, { remaining: 0, resetSeconds: policy.perSeconds }, false);
  },
  '503': async () => memoryIsTaken(),
  refund: async (_kit, asked) => {
    const stopped = stoppedInTime();
    return new AtelierError(stopped.code, stopped.message, { ...stopped.details, members: ledgerOf(asked) });
  },
};

/** As it is answered to a caller that sends nothing to pay with. */
async function unpaidCall(kit: CallKit, { tool, raw, caller }: Rehearsed): Promise<AtelierError> {
  const { requestId, address, signal } = caller;
  const stranger: Caller = { requestId, address, signal };
  const call = {
    tool,
    raw,
    warnings: [],
    caller: stranger,
    isDryRun: false,
    isJob: false,
    isPriced: true,
    mustPay: true,
  };
  const refusal = await requirePayment(kit, call, {
    caller: stranger,
    wallet: undefined,
    x402: undefined,
  }).catch((error: unknown) => error);
  if (refusal instanceof AtelierError) return refusal;
  throw refusal;
}

/** What the journal keeps of such a call: the two lines cancel each other, and a statement, which is of what moved, has neither. */
function ledgerOf({ tool, raw }: Rehearsed) {
  const credit = likelyPrice(tool, raw);
  const amount = { credit, usd: usd(credit) };
  return {
    ledger: {
      journal: [
        { phase: 'pending', code: 'tool_call', tool: tool.name, ...amount },
        { phase: 'void', code: 'tool_call', tool: tool.name, ...amount },
      ],
      statement: [],
      charged: { credit: 0, usd: 0 },
    },
  };
}

function neverCharged({ name }: AnyTool): AtelierError {
  const message = `${name} is free: it is never answered 402, and there is nothing to give back. Rehearse 429 or 503 here, or 402 and refund at a paid tool such as /api/sandbox/upscale_image.`;
  return invalidField('force_error', message, { expected: 'one of 429, 503' });
}
