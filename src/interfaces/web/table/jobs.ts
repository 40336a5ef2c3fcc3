import type { AnyTool } from '../../../features/definitions/tool.ts';
import { batchField } from '../tools/post_run.ts';
import { TASKS } from '../tools/tasks.ts';
import { type Field, fieldsOf } from '../tools/tool_fields.ts';

export interface Job {
  readonly title: string;
  readonly tools: readonly AnyTool[];
}

/** The field for the selected images; undefined for tools that take them as layers or not at all. */
export const selectionField = (fields: readonly Field[]): Field | undefined =>
  batchField(fields) ?? fields.find(({ kind, isRequired }) => kind === 'file' && isRequired);

/** Whether a tool puts the selected images into layers of one new image. */
export const isComposing = ({ name }: Pick<AnyTool, 'name'>): boolean => name === 'compose_image';

/** Tools that take images of the table, by task; unlisted ones last. */
export function jobsOf(tools: readonly AnyTool[]): readonly Job[] {
  const takers = tools.filter((tool) => isComposing(tool) || takesSelection(tool));
  const listed = new Set(TASKS.flatMap((task) => Object.keys(task.tools)));
  const groups = TASKS.map((task) => ({
    title: task.title,
    tools: Object.keys(task.tools).flatMap((name) => takers.find((tool) => tool.name === name) ?? []),
  }));
  const others = takers.filter(({ name }) => !listed.has(name));
  return [...groups, { title: 'More', tools: others }].filter(({ tools: some }) => some.length > 0);
}

/** Only image tools create acts of a workspace. */
export const isShownOnTable = ({ category }: Pick<AnyTool, 'category'>): boolean => category === 'creative';

const takesSelection = (tool: AnyTool): boolean =>
  isShownOnTable(tool) && selectionField(fieldsOf(tool)) !== undefined;
