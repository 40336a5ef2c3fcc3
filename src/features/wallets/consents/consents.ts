import { randomBytes } from 'node:crypto';
import { MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import {
  type ConsentsDeps,
  consentMessage,
  consentNotFound,
  consentOver,
  decideKey,
  findKeyRequest,
  keyMessage,
  redeemKey,
  requestKey,
  requireConsent,
  tooManyRequests,
} from './key_requests.ts';
import {
  APPROVALS_LISTED_MAX,
  APPROVALS_OPEN_MAX,
  APPROVALS_OPEN_PER_ADDRESS_MAX,
  CONSENT_LIFETIME_MS,
  CONSENT_MEMORY_MS,
} from './limits.ts';
import * as store from './store.ts';
import type {
  Approval,
  CallToApprove,
  Consents,
  Decision,
  RulesChange,
  Signed,
  SpendingRules,
} from './types.ts';

/** Creates the consent service. @param clock time source for expiry */
export function createConsents(options: Omit<ConsentsDeps, 'clock'> & { clock?: () => Date }): Consents {
  const parts: ConsentsDeps = { clock: () => new Date(), ...options };
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
  { database, clock, record }: ConsentsDeps,
  wallet: string,
  { isStopped, approvalAbove }: RulesChange,
): Promise<SpendingRules> {
  const rules = await store.setRules(database, { wallet, isStopped, approvalAbove, at: clock() });
  if (isStopped !== undefined) await record(wallet, isStopped ? 'spending_stopped' : 'spending_resumed');
  if (approvalAbove !== undefined) await record(wallet, 'approval_rule_set');
  return rules;
}

async function askApproval(
  { database, clock }: ConsentsDeps,
  call: CallToApprove,
): Promise<{ id: string; expiresAt: Date }> {
  const at = clock();
  const expiresAt = new Date(at.getTime() + CONSENT_LIFETIME_MS);
  const id = randomBytes(16).toString('hex');
  const bounds = { openMax: APPROVALS_OPEN_MAX, openPerAddressMax: APPROVALS_OPEN_PER_ADDRESS_MAX };
  const asked = await store.askApproval(database, { ...call, ...bounds, id, at, expiresAt });
  if (asked === undefined) throw tooManyRequests('calls of this wallet');
  return {
    id: asked,
    expiresAt: asked === id ? expiresAt : (await store.selectApproval(database, asked))!.expiresAt,
  };
}

async function findApproval({ database, clock }: ConsentsDeps, id: string): Promise<Approval | undefined> {
  const row = await store.selectApproval(database, id);
  return row && inState(row, clock());
}

async function listApprovals(
  { database, clock }: ConsentsDeps,
  wallet: string,
): Promise<readonly Approval[]> {
  const at = clock();
  const rows = await store.selectApprovals(database, { wallet, at, most: APPROVALS_LISTED_MAX });
  return rows.map((row) => inState(row, at));
}

function inState(row: store.ApprovalRow, at: Date): Approval {
  const { isApproved, holdId, ...approval } = row;
  const isOver = row.expiresAt <= at;
  const decided = isApproved ? 'approved' : 'waiting';
  const state = holdId ? 'used' : isApproved === false ? 'refused' : isOver ? 'expired' : decided;
  return { ...approval, state };
}

async function approvalMessage(parts: ConsentsDeps, id: string, decision: Decision): Promise<string> {
  return consentMessage(parts, await questionOf(parts, id, decision));
}

async function decideApproval(parts: ConsentsDeps, id: string, decision: Decision & Signed): Promise<void> {
  const { database, clock, record } = parts;
  const question = await questionOf(parts, id, decision);
  await requireConsent(parts, question, decision.signature);
  const at = clock();
  const expiresAt = new Date(at.getTime() + CONSENT_LIFETIME_MS);
  if (!(await store.decideApproval(database, { ...decision, id, at, expiresAt }))) throw consentOver();
  await record(question.wallet, decision.isGranted ? 'call_approved' : 'call_denied', id);
}

async function questionOf({ database, clock }: ConsentsDeps, id: string, { isGranted, chainId }: Decision) {
  const row = await store.selectApproval(database, id);
  if (!row) throw consentNotFound();
  if (row.isApproved !== null || row.expiresAt <= clock()) throw consentOver();
  const { wallet, tool, amount, paramsSha256, createdAt, expiresAt } = row;
  const statement = `${isGranted ? 'Approve' : 'Refuse'} one call of ${tool} for ${amount / MILLICREDITS_PER_CREDIT} ${amount === MILLICREDITS_PER_CREDIT ? 'credit' : 'credits'} with the parameters of sha256 ${paramsSha256}. It moves nothing on any chain.`;
  return { id, path: '/approve', wallet, chainId, statement, createdAt, expiresAt };
}
