import type { AnyTool } from '../../../features/definitions/tool.ts';
import type { Visitor } from '../types.ts';
import { paramsOf, readableSettings, type Settings } from './settings.ts';
import { asLink, type Field, fieldsOf } from './tool_fields.ts';

/** Something a page has a form for: a tool, or a recipe run by run_recipe. */
export interface Runnable {
  readonly tool: AnyTool;
  /** Display name, used on the button. */
  readonly title: string;
  readonly fields: readonly Field[];
  /** Path of its page. */
  readonly path: string;
  /** List price of its steps in whole credits, for the button of an empty form. */
  readonly listed?: number | undefined;
  /** Parameters of the tool call. @throws AtelierError invalid_input */
  params(settings: Settings, visitor: Visitor): Record<string, unknown>;
}

/** A single tool. A required wallet is filled with the visitor's. */
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

/** Parameters of the settings, without malformed ones. */
export const paramsOrPlain = (
  { params, fields }: Pick<Runnable, 'params' | 'fields'>,
  settings: Settings,
  visitor: Visitor,
): Record<string, unknown> => params(readableSettings(fields, settings), visitor);
