import { EngineError } from '@atelier/imaging/errors/engine_error.ts';
import { AtelierError } from './atelier_error.ts';

/** An engine's refusal as one of this service's errors: the codes are the same, the status comes with them. Anything else as it is. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  return new AtelierError(error.code, error.message, { ...error.details, cause: error });
}
