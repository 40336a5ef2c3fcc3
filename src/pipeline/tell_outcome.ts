import type { EventName } from '../operations/webhooks/events.ts';
import type { CallKit } from './kit.ts';
import { asAtelierError } from './problem.ts';
import type { ComposedAnswer } from './sign_answer.ts';
import type { ToolCall } from './tool_call.ts';

/**
 * Tells the endpoints of the caller's wallet what no table has: that a call which cost nothing was answered, or that one has failed. A
 * paid call is told by its receipt, in the transaction that charges it.
 */
export async function tellOutcome(
  kit: CallKit,
  { tool: { name: tool }, principal: { wallet }, caller }: ToolCall,
  work: () => Promise<ComposedAnswer>,
): Promise<ComposedAnswer> {
  if (wallet === undefined) return work();
  const tell = (type: EventName, data: Record<string, unknown>) =>
    kit.services.webhooks.tell({ wallet, type, data: { tool, ...data, job_id: null } });
  try {
    const answer = await work();
    if (!answer.receipt) await tell('tool.completed', { credits: 0, receipt_id: null });
    return answer;
  } catch (error) {
    await tell('tool.failed', { code: asAtelierError(error).code, request_id: caller.requestId });
    throw error;
  }
}
