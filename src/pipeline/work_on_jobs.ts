import { AtelierError } from '../errors/atelier_error.ts';
import { isCpuRefusal } from '../services/cpu_budget/cpu_refusal.ts';
import { CPU_JOB_RETRY_SECONDS_MAX } from '../services/cpu_budget/limits.ts';
import type { CallKit } from './kit.ts';
import { lackingTools } from './lacking_tools.ts';
import { runJob } from './run_job.ts';

/** What is missing may be installed while the process runs; it is looked for no oftener. */
const LACKS_REMEMBERED_MS = 60_000;

/**
 * From now on this process takes jobs and runs them.
 * @param tools undefined for all
 */
export function workOnJobs(kit: CallKit, tools: readonly string[] | undefined): Promise<void> {
  let last = { until: Number.NEGATIVE_INFINITY, lacks: [] as string[] };
  return kit.services.jobs.work({
    run: (work) => runJob(kit, work),
    tools,
    async lacks() {
      const now = performance.now();
      if (now < last.until) return last.lacks;
      const found = await lackingTools(kit, tools);
      last = { until: now + LACKS_REMEMBERED_MS, lacks: found.map(({ tool }) => tool) };
      return last.lacks;
    },
    retriesAfterMs: (error) =>
      isCpuRefusal(error)
        ? 1000 * Math.min(error.details.retryAfterSeconds!, CPU_JOB_RETRY_SECONDS_MAX)
        : undefined,
    passesOn: (error) => error instanceof AtelierError && error.code === 'model_unavailable',
  });
}
