import { hasSameLetters } from '../features/definitions/spellings.ts';
import type { AnyTool } from '../features/definitions/tool.ts';

/** Resolves `Resize-Image`, `resizeImage` or `image_resize` to a tool: no two tools share their words. */
export const toolWithLetters = (tools: readonly AnyTool[], name: string): AnyTool | undefined =>
  tools.find((tool) => hasSameLetters(tool.name, name)) ??
  tools.find((tool) => wordsIn(tool.name) === wordsIn(name));

const NAME_CHARACTERS_MAX = 100;

/** "embedWatermark", "watermark_embed" → "embed watermark" */
const wordsIn = (name: string): string =>
  name
    .slice(0, NAME_CHARACTERS_MAX)
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .sort()
    .join(' ')
    .trim();
