import type { OperationCall } from '../operations/operation.ts';
import type { Studio, Visit } from './contract.ts';
import { readVisitor } from './visitor.ts';
import type { Caller } from '../pipeline/types.ts';

/** Who asks for a page or a file of one, as their cookies say. */
export async function visitOf(studio: Studio, call: OperationCall): Promise<Visit> {
  const visitor = await readVisitor(studio.kit, callerOf(call), call.header('cookie'));
  return { studio, visitor, call, caller: callerOf(call, visitor.bearer) };
}

const callerOf = (
  { requestId, address, signal, bearer: sent }: OperationCall,
  bearer: string | undefined = sent,
): Caller => ({ requestId, address, signal, bearer });
