import { AtelierError } from '../../core/errors/atelier_error.ts';

/** @param what the problem with the token, as a sentence */
export const operatorRequired = (what: string): AtelierError =>
  new AtelierError('operator_required', `${what} This endpoint is for operators of this server only.`);
