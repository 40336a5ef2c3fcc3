import { z } from 'zod';
import {
  ANSWERS_BYTES_MAX,
  ASSETS_BYTES_MAX,
  BYTES_IN_MEMORY_MAX,
  CONNECTIONS_MAX,
  CONNECTIONS_PER_ADDRESS_MAX,
  JSON_BODY_BYTES_MAX,
  JSON_BODY_COPIES,
  KEPT_SHARE_PERCENT,
  REFUSALS_PER_MINUTE,
  RESULTS_BYTES_MAX,
  UPLOADS_BYTES_MAX,
} from './limits.ts';

const whole = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback);
const bytes = (fallback: number) => whole(fallback, 1_048_576, 2 ** 50);

/** Bounds on what everybody together may fill: memory, connections, disk. Names, checks and meanings as in SETTINGS. */
export const BOUND_SETTINGS = {
  BYTES_IN_MEMORY_MAX: [
    whole(BYTES_IN_MEMORY_MAX, 2 * JSON_BODY_BYTES_MAX * JSON_BODY_COPIES, 2 ** 40),
    'Bytes of bodies, pictures and answers that all calls together may hold in the memory of this process. Calls beyond wait a moment, then get 503.',
  ],
  CONNECTIONS_MAX: [whole(CONNECTIONS_MAX, 1, 1_000_000), 'Connections open at once, of everybody.'],
  CONNECTIONS_PER_ADDRESS: [
    whole(CONNECTIONS_PER_ADDRESS_MAX, 1, 1_000_000),
    'Connections open at once from one address; the next ones get 429. Those of TRUSTED_PROXIES are not counted.',
  ],
  REFUSALS_PER_MINUTE: [
    whole(REFUSALS_PER_MINUTE, 1, 1_000_000_000),
    'Requests a minute from one address that may be refused for a mistake of theirs (400 to 428); then none is read for a while.',
  ],
  UPLOADS_BYTES_MAX: [bytes(UPLOADS_BYTES_MAX), 'Bytes of uploads kept at once.'],
  RESULTS_BYTES_MAX: [bytes(RESULTS_BYTES_MAX), 'Bytes of results kept at once.'],
  ANSWERS_BYTES_MAX: [
    bytes(ANSWERS_BYTES_MAX),
    'Bytes of answers kept for an Idempotency-Key or a job, without their files, in a day.',
  ],
  ASSETS_BYTES_MAX: [bytes(ASSETS_BYTES_MAX), 'Bytes of assets kept for all wallets together.'],
  KEPT_SHARE_PERCENT: [
    whole(KEPT_SHARE_PERCENT, 1, 100),
    'Part of each of these four that one address, and one wallet, may fill.',
  ],
  DISK_FREE_MIN_BYTES: [
    z.coerce
      .number()
      .int()
      .min(0)
      .max(2 ** 50)
      .optional(),
    'Below so much free space in DATA_DIR nothing new is kept (503 storage_full); reading goes on. Absent: 1 GiB, or a twentieth of the disk where that is less.',
  ],
} as const satisfies Record<string, readonly [z.ZodType, string]>;
