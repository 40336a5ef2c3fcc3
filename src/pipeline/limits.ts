/** The longest input repeated in a next step. */
export const NEXT_STEP_CHARACTERS_MAX = 2000;
/** The least progress between two messages that say the same. */
export const PROGRESS_STEP_PERCENT = 5;
/** When a caller is told to look again. */
export const JOB_RETRY_SECONDS = 2;
/** From this share of a cap on, every answer says how much is used. */
export const BUDGET_WARNING_PERCENT = 80;
