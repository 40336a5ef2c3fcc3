import { hasSameLetters } from '../tools/spellings.ts';
import type { AnyTool } from '../tools/tool.ts';

/** The tool a model means by `Resize-Image` or `resizeImage`: no two tools share their letters. */
export const toolWithLetters = (tools: readonly AnyTool[], name: string): AnyTool | undefined =>
  tools.find((tool) => hasSameLetters(tool.name, name));
