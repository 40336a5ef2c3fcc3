import type { JobCaller } from '../services/jobs/contract.ts';
import type { Attributes, Span } from '../services/telemetry/contract.ts';
import type { CallKit } from './kit.ts';
import { asAtelierError } from './problem.ts';

interface Observed {
  readonly tool: string;
  /** Absent: somebody waits for the answer. */
  readonly job?: Pick<JobCaller, 'trace'>;
}

/** Counts a call by what became of it, and tells it as a span: of a job within the trace of the call that made it, whichever process runs it. */
export function observeCall<T>(
  { telemetry }: Pick<CallKit, 'telemetry'>,
  { tool, job }: Observed,
  work: () => Promise<T>,
): Promise<T> {
  const way = job ? 'job' : 'waited';
  const count = (outcome: string) => telemetry.count('atelier_calls_total', { tool, way, outcome });
  const name = `call ${tool}`;
  const attributes: Attributes = { 'atelier.tool': tool, 'atelier.way': way };
  const observed = async (span: Span) => {
    try {
      const answer = await work();
      count('ok');
      return answer;
    } catch (error) {
      const { code, status } = asAtelierError(error);
      span.set({ 'error.type': code });
      count(status < 500 ? 'refused' : 'failed');
      throw error;
    }
  };
  return job
    ? telemetry.enter({ ...job.trace, isTrusted: true, by: 'job' }, name, attributes, observed)
    : telemetry.span(name, attributes, observed);
}
