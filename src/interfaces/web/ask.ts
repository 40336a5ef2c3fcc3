import type { z } from 'zod';
import type { Operation } from '../../features/definitions/operation.ts';
import type { AnyTool } from '../../features/definitions/tool.ts';
import { callOperation } from '../../pipeline/operations.ts';
import { callTool } from '../../pipeline/pipeline.ts';
import type { Visit } from './types.ts';

/**
 * Calls an endpoint on behalf of the visitor, with the same limits, permissions and errors as over HTTP.
 * @throws AtelierError of the endpoint
 */
export async function ask<Output extends z.ZodObject>(
  { studio, caller }: Visit,
  // biome-ignore lint/suspicious/noExplicitAny: input and services are checked by the call itself
  operation: Operation<any, Output, any>,
  raw: Record<string, unknown> = {},
): Promise<z.output<Output>> {
  const [method] = operation.methods;
  const answer = await callOperation(studio.context, operation, raw, caller, {
    method: method!,
    header: () => undefined,
  });
  if ('body' in answer) return answer.body as z.output<Output>;
  throw new Error(`${operation.name} answers no JSON`);
}

/** Calls a tool on behalf of the visitor. @throws AtelierError of the tool */
export async function askTool<Output extends z.ZodObject>(
  { studio, caller }: Visit,
  tool: Pick<AnyTool, 'name'> & { readonly output: Output },
  raw: Record<string, unknown>,
): Promise<z.output<Output>> {
  return (await callTool(studio.context, tool.name, raw, caller)).body as z.output<Output>;
}
