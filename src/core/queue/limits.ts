import { JOB_RUN_MS_MAX } from '../../config/limits.ts';

/** Runs that may end by the death of the server before the job is given up. */
export const JOB_CRASHES_MAX = 2;
/** Progress is written no oftener. */
export const JOB_REPORT_MS = 1000;
/** How often a process looks for a job that another has accepted. */
export const JOB_LOOK_MS = 2_000;
/** A process that is silent for so long has died, and its jobs go to another. */
export const JOB_LEASE_MS = 30_000;
/** What was given back because of a passing fault is taken up again after this. */
export const JOB_RETRY_MS = 1_000;
/** What was given back because nothing could be read or kept is taken up again after this, and each time as much later. */
export const JOB_STORAGE_RETRY_MS = 5_000;
/** Runs after which such a job fails: a quarter of an hour after the first, and more. */
export const JOB_STORAGE_RUNS_MAX = 20;
/** The longest time for which a queued job is left alone. A later time was written by a clock that has been set back since, and does not count. */
export const JOB_REST_MS_MAX = JOB_STORAGE_RETRY_MS * JOB_STORAGE_RUNS_MAX;
/** How often a process says that it takes jobs. */
export const JOB_ANNOUNCE_MS = 10_000;
/** Times a job goes back because a process lacked something another had; then it is done as well as it can be. */
export const JOB_PASSES_MAX = 3;
/** A job this process lacks something for is left to others for so long. */
export const JOB_PASSED_ON_MS = 5 * 60_000;
/** What is held for a job that was never written down is given back at this age. */
export const UNUSED_HOLD_AGE_MS = 5 * 60_000;

/** A job that has not ended by then is given up. */
export const JOB_LIFETIME_MS = 6 * 3_600_000;
/** A hold of a job outlives the longest run begun in the last moment, and two crashes of it. */
export const JOB_HOLD_LIFETIME_MS = JOB_LIFETIME_MS + 4 * JOB_RUN_MS_MAX;
