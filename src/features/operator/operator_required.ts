import { AtelierError } from '../../core/errors/atelier_error.ts';

/** @param what is wrong with what came, as a sentence */
export const operatorRequired = (what: string): AtelierError =>
  new AtelierError('operator_required', `${what} Only an operator of this server may do this.`);
