import type { Policy } from '../services/limiter/index.ts';
import { rateHeaders } from '../services/limiter/index.ts';
import { highestPrice } from '../tools/price.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { CallKit } from './call_tool.ts';
import type { Answer, Caller } from './caller.ts';
import { callerKey } from './identify.ts';

/** Counts the call against the general limit, and against the tool's own; a failed call is given back to the latter. */
export async function rateLimited(
  kit: CallKit,
  tool: AnyTool,
  caller: Caller,
  wallet: string | undefined,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const key = callerKey(caller.address, wallet);
  const general = generalPolicy(kit, tool);
  const generalState = await kit.limiter.take(general, key);
  if (!tool.limit) return withHeaders(await work(), rateHeaders(general, generalState));

  const own: Policy = tool.limit;
  const state = await kit.limiter.take(own, key);
  try {
    return withHeaders(await work(), rateHeaders(own, state));
  } catch (error) {
    await kit.limiter.giveBack(own, key);
    throw error;
  }
}

function generalPolicy({ rates }: CallKit, tool: AnyTool): Policy {
  return highestPrice(tool.price) === 0
    ? { name: 'free-tools', calls: rates.freeToolsPerHour, perSeconds: 3600 }
    : { name: 'paid-tools', calls: rates.paidToolsPerMinute, perSeconds: 60 };
}

const withHeaders = (answer: Answer, headers: Record<string, string>): Answer => ({ ...answer, headers: { ...headers, ...answer.headers } });
