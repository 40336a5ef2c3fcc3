/** Longest wait of get_job. MCP clients abort calls after 60 s, some after 30 s. */
export const JOB_WAIT_SECONDS_MAX = 20;
/** Poll interval while waiting for a job. */
export const JOB_WAIT_LOOK_MS = 500;
/** Concurrent waiting calls per process; further ones return without waiting. */
export const JOB_WAITS_MAX = { ofAddress: 8, ofAll: 128 };
