import type { Database } from '../../src/core/database/types.ts';
import { createConsents } from '../../src/features/wallets/consents/consents.ts';
import type { CallToApprove, Decision, KeyDecision } from '../../src/features/wallets/consents/types.ts';
import { DAY_MS, givenOwner } from './given_owner.ts';

/** The owner of `givenOwner`, with the service for approvals. */
export async function givenConsents(database: Database) {
  const owner = await givenOwner(database);
  const { ownership, account, wallet, time } = owner;
  const clock = () => new Date(time.now);
  const publicUrl = 'https://atelier.test';
  const consents = createConsents({ database, publicUrl, clock, record: ownership.record });
  const question = (more: Partial<CallToApprove> = {}): CallToApprove => ({
    wallet,
    tool: 'paint',
    paramsSha256: 'a'.repeat(64),
    amount: 5000,
    shown: '{}',
    askedBy: 'agent',
    address: '192.0.2.1',
    ...more,
  });
  const answer = async (id: string, isGranted = true, by = account) => {
    const decision: Decision = { isGranted, chainId: 1 };
    const message = await consents.approvalMessage(id, decision);
    await consents.decideApproval(id, { ...decision, signature: await by.signMessage({ message }) });
  };
  const terms = (more: Partial<KeyDecision> = {}): KeyDecision => ({
    wallet,
    isGranted: true,
    chainId: 1,
    withFiles: false,
    maxTotal: 3000,
    keyExpiresAt: new Date(time.now + DAY_MS),
    ...more,
  });
  const grant = async (id: string, more: Partial<KeyDecision> = {}, by = account) => {
    const decision = terms(more);
    const message = await consents.keyMessage(id, decision);
    await consents.decideKey(id, { ...decision, signature: await by.signMessage({ message }) });
  };
  return { ...owner, consents, question, answer, terms, grant };
}
