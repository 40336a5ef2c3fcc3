import { EngineError } from '@atelier/imaging/errors/engine_error.ts';
import { AtelierError } from './atelier_error.ts';

/** Converts an engine error to an AtelierError with the same code. Other errors stay as they are. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  return new AtelierError(error.code, error.message, { ...error.details, cause: error });
}
