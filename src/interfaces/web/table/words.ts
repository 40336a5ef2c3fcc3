import type { AnyTool } from '../../../features/definitions/tool.ts';
import { momentLabel } from '../labels.ts';
import { labelOf } from '../tools/tool_fields.ts';

/** Title of a tool, also if this server no longer offers it. */
export const toolTitle = (tools: readonly AnyTool[], name: string): string =>
  tools.find((tool) => tool.name === name)?.title ?? labelOf(name);

/** "12 images", "1 image" */
export const imagesText = (count: number): string => `${count} ${count === 1 ? 'image' : 'images'}`;

export const timeText = (moment: string): string => `${momentLabel(moment)} UTC`;
