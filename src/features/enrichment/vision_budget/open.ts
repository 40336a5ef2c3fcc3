import type { Config } from '../../../config/config.ts';
import type { Database } from '../../../core/database/types.ts';
import type { VisionBudget } from './types.ts';
import { createVisionBudget } from './vision_budget.ts';

/** The budget of the settings; without a bound everything fits, and is counted all the same. */
export const openVisionBudget = (config: Config, database: Database): VisionBudget =>
  createVisionBudget(database, {
    tokens: config.VISION_TOKENS_A_DAY,
    usd: config.VISION_USD_A_DAY,
    sharePercent: config.VISION_SHARE_PERCENT,
  });
