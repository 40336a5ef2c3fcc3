import { AtelierError } from '../errors/atelier_error.ts';
import type { OperatorIdentity, OperatorScope } from '../services/operator/contract.ts';
import type { Limit } from '../tools/tool.ts';
import type { Caller } from './caller.ts';
import type { CallKit } from './kit.ts';
import { limitRate } from './rate_limit.ts';

/** Tokens that do not hold; those that do are not counted. */
const ATTEMPTS: Limit = {
  name: 'operator-attempts',
  calls: 30,
  perSeconds: 300,
  by: 'address',
  failuresCount: true,
};

/**
 * Who acts, where the bearer is a token of an operator that may do this.
 * @throws AtelierError operator_required; operator_denied for one without the scope; rate_limited after too many wrong ones
 */
export async function requireOperator(
  kit: CallKit,
  caller: Caller,
  scope: OperatorScope,
): Promise<OperatorIdentity> {
  const { bearer } = caller;
  if (bearer === undefined) throw new AtelierError('operator_required');
  const identify = async () => ({ headers: {}, operator: await kit.services.operators.identify(bearer) });
  const counting = { caller, principal: {}, counts: () => false };
  const { operator } = await limitRate(kit, [ATTEMPTS], counting, identify);
  if (operator.scopes.includes(scope)) return operator;
  throw new AtelierError(
    'operator_denied',
    `This needs the scope "${scope}"; ${operator.who} has ${operator.scopes.join(', ')}.`,
  );
}

/** The same, where others may do it as well. False for whoever brings no token of an operator. */
export async function isOperator(kit: CallKit, caller: Caller, scope: OperatorScope): Promise<boolean> {
  try {
    await requireOperator(kit, caller, scope);
    return true;
  } catch (error) {
    if (error instanceof AtelierError && error.code === 'operator_required') return false;
    throw error;
  }
}
