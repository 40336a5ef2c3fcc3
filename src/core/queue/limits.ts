import { JOB_RUN_MS_MAX } from '../../config/limits.ts';

/** Signal to other processes that a job may be claimed. */
export const JOBS_TOPIC = 'jobs';

/** Crashed runs before a job is given up. */
export const JOB_CRASHES_MAX = 2;
/** Minimum interval of progress writes. */
export const JOB_REPORT_MS = 1000;
/** Poll interval for jobs that another process has accepted. */
export const JOB_POLL_MS = 2_000;
/** Lease of a job: a process that does not renew it is considered dead, and another one claims the job. */
export const JOB_LEASE_MS = 30_000;
/** Retry delay after a transient failure. */
export const JOB_RETRY_MS = 1_000;
/** Retry delay after a storage failure; grows linearly with each run. */
export const JOB_STORAGE_RETRY_MS = 5_000;
/** Number of runs after which such a job fails: at least 15 minutes after the first. */
export const JOB_STORAGE_RUNS_MAX = 20;
/** Longest delay of a queued job. Later times were written before a clock was set back, and are ignored. */
export const JOB_DELAY_MS_MAX = JOB_STORAGE_RETRY_MS * JOB_STORAGE_RUNS_MAX;
/** Up to this many queued jobs, positions are counted; beyond, they are estimated from the summary of the queue. */
export const POSITIONS_COUNTED_MAX = 1_000;
/** Minimum lifetime of the cached summary of a longer queue. */
export const STATE_CACHE_MS = 1_000;
/** Share of the time that reading the summary may take. */
export const STATE_SHARE = 0.02;
/** Queue heads per tool that a claim examines: this many processes can claim jobs of one tool at the same moment. */
export const HEADS_OF_TOOL = 16;
/** Announcement interval of a worker. */
export const JOB_ANNOUNCE_MS = 10_000;
/** Times a job is requeued because a process lacked something; then it runs at lower quality. */
export const JOB_HANDOFFS_MAX = 3;
/** How long a process leaves a requeued job to other workers. */
export const JOB_HANDOFF_MS = 5 * 60_000;
/** Age at which a hold without a stored job is released, at the next cleanup. A job whose input takes longer to store is refused. */
export const UNUSED_HOLD_AGE_MS = 45_000;

/** Longer inputs, in characters of JSON, are stored in a blob instead of the job row. */
export const PARAMS_CHARACTERS_MAX = 32 * 1024;

/**
 * Limits for the stored inputs of dead letters, in number and in bytes, in total and per address; beyond them, the input of another failed
 * job is deleted at once. Each input is deleted with its job, after a day.
 */
export const DEAD_INPUTS_MAX = 1_000;
export const DEAD_BYTES_MAX = 1024 ** 3;
export const DEAD_BYTES_OF_ADDRESS_MAX = DEAD_BYTES_MAX / 4;

/** A job that has not ended by then is abandoned. */
export const JOB_LIFETIME_MS = 6 * 3_600_000;
/** A hold outlives the longest run that starts at the last moment, plus two crashes of it. */
export const JOB_HOLD_LIFETIME_MS = JOB_LIFETIME_MS + 4 * JOB_RUN_MS_MAX;
