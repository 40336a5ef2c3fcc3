import type { BaseLogger } from 'pino';
import type { Config } from '../../config/config.ts';
import { createJobs } from './jobs.ts';
import type { Jobs, JobsOptions } from './types.ts';

interface JobsDeps
  extends Pick<JobsOptions, 'database' | 'signals' | 'blobs' | 'texts' | 'problemOf' | 'isHeld' | 'release'> {
  readonly logger: BaseLogger;
}

/** Creates the job service with the configured limits. */
export function openJobs(config: Config, { logger, ...parts }: JobsDeps): Jobs {
  return createJobs({
    ...parts,
    limits: {
      atOnce: config.JOBS_AT_ONCE,
      atOnceOfAddress: Math.max(1, Math.floor((config.JOBS_AT_ONCE * config.CALLER_SHARE_PERCENT) / 100)),
      perCaller: config.JOBS_PER_CALLER,
      perAddress: config.JOBS_PER_ADDRESS,
      inAll: config.JOBS_LIVE_MAX,
    },
    report: (error, context) => logger.error({ ...context, err: error }, 'a job failed'),
  });
}
