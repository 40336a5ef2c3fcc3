import { type Body, type Place, type Reply, readJson, type Sending } from './transport.ts';
import { wait } from './wait.ts';

const LOOK_MS = 500;

/** Polls a job until it has ended. Returns its result or throws its problem, like the call itself. */
export async function followJob(
  place: Place,
  jobId: string,
  { bearer, signal, onProgress }: Pick<Sending, 'bearer' | 'signal' | 'onProgress'>,
): Promise<Reply> {
  for (;;) {
    const reply = await readJson(place, `/api/jobs/${encodeURIComponent(jobId)}`, { bearer, signal });
    const { state, result, problem } = reply.body;
    if (reply.status !== 200) return reply;
    if (state === 'succeeded') return { status: 200, body: result as Body };
    if (state === 'failed') return { status: Number((problem as Body).status), body: problem as Body };
    if (state === 'canceled')
      return { status: 410, body: { code: 'job_canceled', detail: 'The job was canceled.' } };
    onProgress?.(Number((reply.body.progress as Body).fraction), messageOf(reply.body));
    await wait(LOOK_MS, signal);
  }
}

function messageOf({ state, place, progress, estimate }: Body): string {
  if (state === 'queued') return `Number ${place} in the queue`;
  const left = (estimate as Body).seconds_left;
  const text = String((progress as Body).message || 'Working');
  return left === null ? text : `${text} (about ${left} s left)`;
}
