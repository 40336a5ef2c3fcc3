import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../../config/config.ts';
import type { ModelName } from '../manifest.ts';
import type { ModelState, Models } from '../types.ts';
import { PULL_RETRY_MS } from './limits.ts';
import { wantedOf } from './open_background.ts';

type Input = Readonly<Record<string, unknown>>;

/** Models that a tool runs by default, most important first. */
const NETWORKS: Readonly<Record<string, (input: Input) => readonly ModelName[]>> = {
  remove_background: () => ['isnet_general'],
  upscale_image: ({ model, scale = 2 }) => {
    if (typeof model === 'string') return [model as ModelName];
    return [scale === 2 ? 'realesrgan_x2plus' : 'realesrgan_x4plus'];
  },
  read_text: () => ['ppocr_recognition', 'ppocr_detection', 'ppocr_keys'],
  enrich_metadata: () => ['tagger', 'yunet', 'content_rating', 'text_detection'],
};

type Settings = Pick<Config, 'DATA_DIR' | 'MODELS_PULL' | 'MUSEUMS_PULL'>;

/**
 * Missing models to download before a call without a server: those of its tool that MODELS_PULL names. None for 10 minutes after a
 * failed download, so that calls do not wait on an offline machine.
 */
export async function missingFor(
  { tool, input }: { tool: string; input: Input },
  config: Settings,
  openModels: () => Promise<Pick<Models, 'list'>>,
): Promise<ModelState[]> {
  const wanted = wantedOf(config);
  const names = NETWORKS[tool]?.(input).filter((name) => wanted.includes(name)) ?? [];
  if (names.length === 0 || (await failedLately(config))) return [];
  const states = await (await openModels()).list();
  return names.flatMap((name) => states.filter((state) => state.name === name && !state.installed));
}

const markOf = ({ DATA_DIR }: Settings): string => join(DATA_DIR, 'models', 'fetch_failed');

async function failedLately(config: Settings): Promise<boolean> {
  const ageMs = Date.now() - ((await stat(markOf(config)).catch(() => undefined))?.mtimeMs ?? 0);
  return ageMs >= 0 && ageMs < PULL_RETRY_MS;
}

/** Records a failed download. If the record cannot be written, the next call tries again. */
export const rememberFailure = (config: Settings): Promise<void> =>
  writeFile(markOf(config), '', { mode: 0o600 }).catch(() => {});
