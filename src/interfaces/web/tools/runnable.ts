import type { AnyTool } from '../../../features/definitions/tool.ts';
import type { Visitor } from '../types.ts';
import { paramsOf, readableSettings, type Settings } from './settings.ts';
import { asLink, type Field, fieldsOf } from './tool_fields.ts';

/** What a page has a form for and runs: a tool, or a recipe by the tool that runs them. */
export interface Runnable {
  readonly tool: AnyTool;
  /** As people see it, and as its button says. */
  readonly title: string;
  readonly fields: readonly Field[];
  /** Path of its page. */
  readonly path: string;
  /** Whole credits of its steps by the list, for a button before anything is filled in. */
  readonly listed?: number | undefined;
  /** What the tool is called with. @throws AtelierError invalid_input */
  params(settings: Settings, visitor: Visitor): Record<string, unknown>;
}

/** A tool by itself. A wallet it asks for is the visitor's. */
export function runnableTool(tool: AnyTool): Runnable {
  const fields = fieldsOf(tool);
  const asksForWallet = fields.some(({ kind, isRequired }) => kind === 'wallet' && isRequired);
  return {
    tool,
    title: tool.title,
    fields,
    path: `/tools/${tool.name}`,
    params: (settings, { wallet }) => ({
      ...paramsOf(fields, settings),
      ...(asksForWallet && wallet !== undefined && { wallet }),
      ...asLink(tool),
    }),
  };
}

/** What the settings would be sent as, without those that cannot be read yet. */
export const paramsOrPlain = (
  { params, fields }: Pick<Runnable, 'params' | 'fields'>,
  settings: Settings,
  visitor: Visitor,
): Record<string, unknown> => params(readableSettings(fields, settings), visitor);
