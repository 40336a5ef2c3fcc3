import { AtelierError } from '../errors/atelier_error.ts';
import type { AnyOperation } from '../operations/operation.ts';
import { MAINTENANCE_RETRY_SECONDS } from '../services/maintenance/limits.ts';
import { isReadOnly } from '../tools/is_read_only.ts';
import { writesBy } from './foreign_page.ts';
import type { CallKit } from './kit.ts';
import type { SentCall } from './tool_call.ts';

/** A call of a tool that keeps or takes anything waits until the maintenance is over. @throws AtelierError maintenance */
export function refuseCallInMaintenance(kit: CallKit, { tool, isDryRun }: SentCall): void {
  if (kit.maintenance.current() && !isDryRun && !isReadOnly(tool)) throw inMaintenance(kit);
}

/** The same for an endpoint that is not a tool; those of the operator go on. @throws AtelierError maintenance */
export function refuseUseInMaintenance(
  kit: CallKit,
  operation: Pick<AnyOperation, 'methods' | 'onlyReads' | 'operator'>,
  method: string,
): void {
  if (kit.maintenance.current() && !operation.onlyReads && !operation.operator && writesBy(operation, method))
    throw inMaintenance(kit);
}

function inMaintenance({ maintenance }: CallKit): AtelierError {
  const why = maintenance.current()?.why;
  return new AtelierError(
    'maintenance',
    `This service is being maintained${why ? ` (${why})` : ''}: nothing new is kept or charged just now, and reading goes on. Wait and send the same call again.`,
    { retryAfterSeconds: MAINTENANCE_RETRY_SECONDS },
  );
}
