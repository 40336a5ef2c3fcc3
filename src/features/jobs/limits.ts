/** Longest wait of get_job. Clients of MCP cut calls after a minute, some after half of it. */
export const JOB_WAIT_SECONDS_MAX = 20;
/** Between two looks at a job that is waited for. */
export const JOB_WAIT_LOOK_MS = 500;
/** Calls of one process that wait for a job at once; more are answered without waiting. */
export const JOB_WAITS_MAX = { ofAddress: 8, ofAll: 128 };
