import { AtelierError } from '../errors/atelier_error.ts';
import type { Scope } from '../services/ownership/contract.ts';
import { broughtSourceOf } from './billing/payment.ts';
import type { Principal } from './caller.ts';
import type { CallKit } from './kit.ts';
import { LongText } from './long_text.ts';
import { proofRequired, walletLocked } from './ownership_problems.ts';
import type { SentCall } from './tool_call.ts';

/**
 * Whether this caller may call this tool at all, before its input is looked at.
 * @throws AtelierError scope_denied for a key made for other things; wallet_locked where a locked wallet is to pay
 */
export async function requireToolAllowed(
  kit: CallKit,
  { tool, caller, mustPay }: SentCall,
  principal: Principal,
): Promise<void> {
  const { proof, lockedWallet } = principal;
  if (proof?.key?.tools && !proof.key.tools.includes(tool.name)) {
    await refuseKey(kit, principal, `This key may only call ${proof.key.tools.slice(0, 10).join(', ')}.`);
  }
  // A call that brings its own payment takes nothing from the wallet.
  if (!mustPay || broughtSourceOf(kit, caller)) return;
  await requireScope(kit, principal, 'spend');
  if (lockedWallet) await refuseLocked(kit, lockedWallet, tool.name, 'pay');
}

/**
 * What a wallet keeps is open to everybody until its owner locks it, and then to proof alone.
 * @param wallet as the input names it; absent: the caller's own
 * @throws AtelierError wallet_locked, scope_denied
 */
export async function requireReach(
  kit: CallKit,
  reaches: Scope | undefined,
  { principal, wallet, about }: { principal: Principal; wallet: unknown; about: string },
): Promise<void> {
  if (reaches === undefined) return;
  const named = typeof wallet === 'string' ? wallet : (principal.wallet ?? principal.lockedWallet);
  if (named === undefined) return;
  if (principal.proof?.wallet === named) return requireScope(kit, principal, reaches);
  if (await kit.services.ownership.lockedAt(named)) await refuseLocked(kit, named, about, WORDS[reaches]);
}

const WORDS: Record<Scope, string> = {
  spend: 'pay',
  'assets:read': 'open what it keeps',
  'assets:write': 'change what it keeps',
  'account:read': 'show its account',
};

/** `asset:<key>` in an image field reads what the caller's own wallet keeps. @throws AtelierError wallet_locked, scope_denied */
export async function requireHandles(
  kit: CallKit,
  input: Record<string, unknown>,
  { principal, about }: { principal: Principal; about: string },
): Promise<void> {
  if (Object.values(input).some(namesAsset))
    await requireReach(kit, 'assets:read', { principal, wallet: undefined, about });
}

const HANDLE = /^\s*asset:/i;

/** Handles are read without the white space around them, however much that is. */
function namesAsset(value: unknown): boolean {
  if (value instanceof LongText) return HANDLE.test(value.beginning(10));
  if (Array.isArray(value)) return value.some(namesAsset);
  return typeof value === 'string' && HANDLE.test(value);
}

/** Whether a quote may tell what the wallet has: not to a key that can neither spend nor see the account. */
export const knowsBalance = ({ proof }: Principal): boolean =>
  proof?.key?.scopes.some((scope) => scope === 'spend' || scope === 'account:read') ?? true;

/** @throws AtelierError proof_required, scope_denied for a key */
export async function requireOwner(kit: CallKit, principal: Principal): Promise<void> {
  if (principal.proof && !principal.proof.key) return;
  if (principal.proof)
    await refuseKey(kit, principal, 'A key cannot manage its wallet; only a session of the owner can.');
  throw proofRequired(principal.wallet ?? principal.lockedWallet);
}

async function requireScope(kit: CallKit, principal: Principal, scope: Scope): Promise<void> {
  const key = principal.proof?.key;
  if (!key || key.scopes.includes(scope)) return;
  await refuseKey(kit, principal, `This key lacks the scope "${scope}"; it has ${key.scopes.join(', ')}.`);
}

async function refuseKey({ services }: CallKit, { proof }: Principal, detail: string): Promise<never> {
  if (proof) await services.ownership.record(proof.wallet, 'refused_scope', proof.key?.id);
  throw new AtelierError('scope_denied', detail);
}

async function refuseLocked(
  { services }: CallKit,
  wallet: string,
  about: string,
  what: string,
): Promise<never> {
  await services.ownership.record(wallet, 'refused_locked', about);
  throw walletLocked(wallet, what);
}
