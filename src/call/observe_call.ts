import type { CallKit } from './kit.ts';
import { asAtelierError } from './problem.ts';

interface Observed {
  readonly tool: string;
  /** Whether somebody waits for the answer. */
  readonly way: 'waited' | 'job';
}

/** Counts a call by what became of it, and tells it as a span. */
export function observeCall<T>(
  { telemetry }: Pick<CallKit, 'telemetry'>,
  { tool, way }: Observed,
  work: () => Promise<T>,
): Promise<T> {
  const count = (outcome: string) => telemetry.count('atelier_calls_total', { tool, way, outcome });
  return telemetry.span(`call ${tool}`, { 'atelier.tool': tool, 'atelier.way': way }, async (span) => {
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
  });
}
