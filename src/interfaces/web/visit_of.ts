import type { OperationCall } from '../../features/definitions/operation.ts';
import type { Client } from '../../pipeline/types.ts';
import type { Studio, Visit } from './types.ts';
import { readVisitor } from './visitor.ts';

/** Who asks for a page or a file of one, as their cookies say. */
export async function visitOf(studio: Studio, call: OperationCall): Promise<Visit> {
  const visitor = await readVisitor(studio.kit, callerOf(call), call.header('cookie'));
  return { studio, visitor, call, caller: callerOf(call, visitor.bearer) };
}

const callerOf = (
  { requestId, address, signal, bearer: sent }: OperationCall,
  bearer: string | undefined = sent,
): Client => ({ requestId, address, signal, bearer });
