import { AtelierError, invalidField } from '../../errors/atelier_error.ts';
import { createWalletKey, revokeWalletKey } from '../../operations/account/keys.ts';
import { walletSession } from '../../operations/account/prove.ts';
import { registerOverRest } from '../../operations/account/register.ts';
import { walletOfCaller } from '../../operations/account/who.ts';
import { setSpending } from '../../operations/consent/spending.ts';
import { ask } from '../ask.ts';
import type { Visit } from '../contract.ts';
import { walletCookie } from './wallet_cookie.ts';

/** What came of a form: a bearer to sign in with, null to sign out, a token to show once, or nothing but what it did. */
export interface Done {
  readonly signIn?: string | null;
  readonly newKey?: { readonly name: string; readonly token: string };
}

type Act = (visit: Visit, field: (name: string) => string) => Promise<Done>;

/** What the forms of the page do, by the name of their button. */
const ACTS: Readonly<Record<string, Act>> = {
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
    const { token } = await ask(visit, walletSession, {
      message: field('message').replaceAll('\r\n', '\n'),
      signature: field('signature'),
    });
    return { signIn: token };
  },
  leave: async () => ({ signIn: null }),
  make_key: async (visit, field) => {
    const caps = Object.entries({
      max_credits: field('max_credits'),
      max_credits_per_day: field('max_credits_per_day'),
    }).filter(([, text]) => text !== '');
    const { token, key } = await ask(visit, createWalletKey, {
      name: field('name'),
      ...Object.fromEntries(caps.map(([name, text]) => [name, Number(text)])),
    });
    return { newKey: { name: key.name, token } };
  },
  revoke_key: async (visit, field) => {
    await ask(visit, revokeWalletKey, { id: field('id') });
    return {};
  },
  spending: async (visit, field) => {
    const above = field('approval_above');
    await ask(visit, setSpending, {
      stopped: field('stopped') === 'yes',
      approval_above: above === '' ? null : Number(above),
    });
    return {};
  },
};

/** Does what the pressed button of a form says. @throws AtelierError */
export async function act(visit: Visit, form: FormData): Promise<Done> {
  const field = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const name = field('act');
  const wanted = Object.hasOwn(ACTS, name) ? ACTS[name] : undefined;
  if (!wanted) throw invalidField('act', 'The form is of another version of this page. Load the page again.');
  return wanted(visit, field);
}

/** Cookies and the next page, after something was done that leaves nothing to show. */
export const afterwards = ({ signIn }: Done, publicUrl: string) => ({
  goTo: '/wallet',
  ...(signIn !== undefined && { cookie: walletCookie(signIn ?? undefined, publicUrl) }),
});

/** The sentence of a refusal; anything else is thrown on. */
export function wordsOf(error: unknown): string {
  if (error instanceof AtelierError) return error.message;
  throw error;
}
