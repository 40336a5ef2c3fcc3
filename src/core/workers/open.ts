import type { Config } from '../../config/config.ts';
import { createPixels } from './create_pixels.ts';
import { PIXEL_QUEUE_LENGTH_MAX } from './limits.ts';
import type { Pixels } from './types.ts';
/** The processes that work on pixels, as the settings have them. */
export const openPixels = (config: Config): Pixels =>
  createPixels({
    workers: config.WORKERS,
    pixelsInFlightMax: config.PIXELS_IN_FLIGHT_MAX,
    callerShare: config.CALLER_SHARE_PERCENT / 100,
    queueLengthMax: PIXEL_QUEUE_LENGTH_MAX,
    deadlineMs: config.TOOL_DEADLINE_MS,
  });
