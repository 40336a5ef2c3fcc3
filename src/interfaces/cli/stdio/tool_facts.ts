import { toolDescription } from '../input_schema.ts';
import type { Schema } from './paths_in_arguments.ts';
import { remember } from './remember.ts';
import type { Params, Upstream } from './upstream.ts';

/** Tool properties that a call with files needs. */
export interface ToolFacts {
  readonly schema: Schema;
  readonly isPaid: boolean;
  /** The tool has a field for the media type of its file. */
  readonly asksType: boolean;
}

export interface ToolFactsReader {
  /** Undefined for a tool that the server does not have. */
  read(tool: string, signal: AbortSignal): Promise<ToolFacts | undefined>;
}

export function createToolFacts(upstream: Upstream): ToolFactsReader {
  const known = new Map<string, ToolFacts>();
  return {
    async read(tool, signal) {
      const before = known.get(tool);
      if (before) return before;
      const response = await upstream.fetch('/api/tools/get_tool_schema', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ tool_name: tool, detail: 'full' }),
        signal,
      });
      const body = (await response.json().catch(() => ({}))) as Params;
      if (!response.ok || typeof body.input_schema !== 'object') return undefined;
      const { fields, price } = toolDescription(body);
      const facts = {
        schema: body.input_schema as Schema,
        isPaid: price.credit > 0,
        asksType: fields.content_type !== undefined && !fields.content_type.enum,
      };
      remember(known, tool, facts);
      return facts;
    },
  };
}
