import type { EventName } from '../operations/webhooks/events.ts';
import type { CallKit } from './kit.ts';
import { asAtelierError } from './problem.ts';
import type { ComposedAnswer } from './sign_answer.ts';
import type { ToolCall } from './tool_call.ts';

/**
 * Emits the events of calls that no table has: a free call was answered, or a call has failed. That of a paid call is emitted with its receipt, in the
 * statement that charges it.
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
