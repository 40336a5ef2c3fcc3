import { invalidField } from '../../../core/errors/atelier_error.ts';
import { createWalletKey, revokeWalletKey } from '../../../features/account/routes/keys.ts';
import { lockWallet, unlockWallet } from '../../../features/account/routes/lock.ts';
import { walletSession } from '../../../features/account/routes/prove.ts';
import { registerOverRest } from '../../../features/account/routes/register.ts';
import { walletOfCaller } from '../../../features/account/routes/who.ts';
import { openAccount } from '../../../features/account/tools/open_account.ts';
import { setInvoiceBuyer } from '../../../features/billing/routes/invoices.ts';
import { setSpending } from '../../../features/wallets/routes/spending.ts';
import { ask, askTool } from '../ask.ts';
import type { Visit } from '../types.ts';
import type { Act, Acts } from './form_acts.ts';
import { KEY_SCOPES } from './key_scopes.ts';

const makeKey: Act = async (visit, field) => {
  const caps = Object.entries({
    max_credits: field('max_credits'),
    max_credits_per_day: field('max_credits_per_day'),
  }).filter(([, text]) => text !== '');
  const scopes = KEY_SCOPES.map(({ scope }) => scope).filter((scope) => field(scope) === 'yes');
  if (scopes.length === 0) throw invalidField('scopes', 'Select at least one permission.');
  const tools = field('tools')
    .split(/[\s,]+/)
    .filter(Boolean);
  const ends = field('ends');
  const { token, key } = await ask(visit, createWalletKey, {
    name: field('name'),
    scopes,
    ...Object.fromEntries(caps.map(([name, text]) => [name, Number(text)])),
    ...(tools.length > 0 && { tools }),
    // The key is valid until the end of the entered day, UTC.
    ...(ends !== '' && { expires_at: `${ends}T23:59:59Z` }),
  });
  return { newKey: { name: key.name, token } };
};

/** Whether the wallet of a message (EIP-4361) has an account. */
const isRegistered = ({ studio: { kit } }: Visit, message: string): Promise<boolean> =>
  kit.services.wallets.isRegistered(/0x[0-9a-fA-F]{40}/.exec(message)?.[0] ?? '');

/** Form actions of the wallet page. */
export const WALLET_ACTS: Acts = {
  register: async (visit, field) => {
    const wallet = field('wallet');
    await ask(visit, registerOverRest, { wallet });
    return { signIn: wallet };
  },
  enter: async (visit, field) => {
    const bearer = field('bearer');
    await ask({ ...visit, caller: { ...visit.caller, bearer } }, walletOfCaller);
    return { signIn: bearer };
  },
  sign: async (visit, field) => {
    const message = field('message').replaceAll('\r\n', '\n');
    const isNew = field('lock') === 'yes' && !(await isRegistered(visit, message));
    const { token } = await ask(visit, walletSession, { message, signature: field('signature') });
    if (isNew) await ask({ ...visit, caller: { ...visit.caller, bearer: token } }, lockWallet);
    return { signIn: token };
  },
  guest: async (visit) => {
    const { wallet, payer, balance, claim_url } = await askTool(visit, openAccount, { name: 'this browser' });
    return { signIn: payer, opened: { wallet, credits: balance, claimUrl: claim_url } };
  },
  leave: async () => ({ signIn: null }),
  make_key: makeKey,
  revoke_key: async (visit, field) => {
    await ask(visit, revokeWalletKey, { id: field('id') });
    return { said: 'revoked' };
  },
  spending: async (visit, field) => {
    const above = field('approval_above');
    await ask(visit, setSpending, {
      stopped: field('stopped') === 'yes',
      approval_above: above === '' ? null : Number(above),
    });
    return { said: 'rules' };
  },
  buyer: async (visit, field) => {
    await ask(visit, setInvoiceBuyer, {
      name: field('name'),
      address: field('address'),
      tax_id: field('tax_id'),
    });
    return { said: 'buyer' };
  },
  lock: async (visit) => {
    await ask(visit, lockWallet);
    return { said: 'locked' };
  },
  unlock: async (visit) => {
    await ask(visit, unlockWallet);
    return { said: 'unlocked' };
  },
};
