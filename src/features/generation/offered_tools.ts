import type { AbsentTool } from '../../catalog/types.ts';
import type { Config } from '../../config/config.ts';
import { credits } from '../definitions/price.ts';
import type { AnyTool, ServerPart } from '../definitions/tool.ts';
import { creditsPerImage } from './settings.ts';

/**
 * Splits the optional tools into those this server supports, priced per image, and those it does not, with
 * the reason.
 */
export function offeredTools<T extends AnyTool>(
  optional: readonly T[],
  config: Config,
): { offered: T[]; absent: AbsentTool[] } {
  const parts = partsOf(config);
  const has = ({ needs }: AnyTool): boolean => needs !== undefined && parts.includes(needs);
  return {
    offered: optional.filter(has).map((tool) => ({ ...tool, price: credits(creditsPerImage(config)) })),
    absent: optional.filter((tool) => !has(tool)).map((tool) => ({ tool, why: WHY_ABSENT[tool.needs!] })),
  };
}

const partsOf = ({ GENERATION_PROVIDER, GENERATION_EDITS }: Config): ServerPart[] => {
  if (GENERATION_PROVIDER === undefined) return [];
  return GENERATION_EDITS ? ['image_model', 'image_editing_model'] : ['image_model'];
};

const WHY_ABSENT: Readonly<Record<ServerPart, string>> = {
  image_model:
    'This server cannot generate images: no image model is configured. Ask the operator to set GENERATION_PROVIDER and GENERATION_MODEL.',
  image_editing_model:
    'This server cannot generate images or edit them by text: no image model is configured. Ask the operator to set GENERATION_PROVIDER and GENERATION_MODEL.',
};
