import { approvalMessage, askApproval, decideApproval, findApproval, listApprovals } from './approvals.ts';
import type { Parts } from './deps.ts';
import { decideKey, findKeyRequest, keyMessage, redeemKey, requestKey } from './key_requests.ts';
import { CONSENT_MEMORY_MS } from './limits.ts';
import * as store from './store.ts';
import type { Consents, RulesChange, SpendingRules } from './types.ts';

/** @param clock decides what is over */
export function createConsents(options: Omit<Parts, 'clock'> & { clock?: () => Date }): Consents {
  const parts: Parts = { clock: () => new Date(), ...options };
  return {
    requestKey: (asked) => requestKey(parts, asked),
    findKeyRequest: (id) => findKeyRequest(parts, id),
    keyMessage: (id, decision) => keyMessage(parts, id, decision),
    decideKey: (id, decision) => decideKey(parts, id, decision),
    redeemKey: (code) => redeemKey(parts, code),
    rules: async (wallet) => (await store.selectRules(parts.database, wallet)) ?? NO_RULES,
    setRules: (wallet, change) => setRules(parts, wallet, change),
    askApproval: (call) => askApproval(parts, call),
    findGiven: (call) => store.selectGiven(parts.database, { ...call, at: parts.clock() }),
    findApproval: (id) => findApproval(parts, id),
    listApprovals: (wallet) => listApprovals(parts, wallet),
    approvalMessage: (id, decision) => approvalMessage(parts, id, decision),
    decideApproval: (id, decision) => decideApproval(parts, id, decision),
    sweep: (now) => store.sweep(parts.database, new Date(now.getTime() - CONSENT_MEMORY_MS)),
  };
}

const NO_RULES: SpendingRules = { stoppedAt: null, approvalAbove: null };

async function setRules(
  { database, clock, record }: Parts,
  wallet: string,
  { isStopped, approvalAbove }: RulesChange,
): Promise<SpendingRules> {
  const rules = await store.setRules(database, { wallet, isStopped, approvalAbove, at: clock() });
  if (isStopped !== undefined) await record(wallet, isStopped ? 'spending_stopped' : 'spending_resumed');
  if (approvalAbove !== undefined) await record(wallet, 'approval_rule_set');
  return rules;
}
