import { setTimeout as sleep } from 'node:timers/promises';
import { type Body, type Connection, getJson, type Reply, type ToolCall } from './client.ts';

const LOOK_MS = 500;

/** Looks at a job until it has ended. Its result or problem is answered as if somebody had waited for the call. */
export async function followJob(
  connection: Connection,
  accepted: Body,
  { bearer, signal, onProgress }: ToolCall,
): Promise<Reply> {
  for (;;) {
    const reply = await getJson(connection, `/api/jobs/${accepted.job_id}`, { bearer, signal });
    const { state, result, problem } = reply.body;
    if (reply.status !== 200) return reply;
    if (state === 'succeeded') return { status: 200, body: result as Body };
    if (state === 'failed') return { status: Number((problem as Body).status), body: problem as Body };
    if (state === 'canceled') return { status: 410, body: { detail: 'The job was canceled.' } };
    onProgress?.(fractionOf(reply.body), messageOf(reply.body));
    await sleep(LOOK_MS, undefined, { signal });
  }
}

const fractionOf = ({ progress }: Body): number => Number((progress as Body).fraction);

function messageOf({ state, place, progress, estimate }: Body): string {
  if (state === 'queued') return `Number ${place} in the queue`;
  const left = (estimate as Body).seconds_left;
  const text = String((progress as Body).message || 'Working');
  return left === null ? text : `${text} (about ${left} s left)`;
}
