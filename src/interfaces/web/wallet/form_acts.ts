import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import type { Visit } from '../types.ts';
import { SAID, type SaidName } from './said.ts';
import { walletCookie } from './wallet_cookie.ts';

/** What came of a form: a bearer to sign in with, null to sign out, a token to show once, and what the next page says of it. */
export interface Done {
  readonly signIn?: string | null;
  readonly newKey?: { readonly name: string; readonly token: string };
  /** An account that this server keeps, with the link to take it over, which is shown once. */
  readonly opened?: { readonly wallet: string; readonly credits: number; readonly claimUrl: string };
  readonly said?: SaidName;
}

/** What a button does. @param field text of the form, trimmed; empty where there is none */
export type Act = (visit: Visit, field: (name: string) => string) => Promise<Done>;
/** By the name of the button. */
export type Acts = Readonly<Record<string, Act>>;

/** Does what the pressed button of a form says. @throws AtelierError */
export async function act(acts: Acts, visit: Visit, form: FormData): Promise<Done> {
  const field = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const name = field('act');
  const wanted = Object.hasOwn(acts, name) ? acts[name] : undefined;
  if (!wanted) throw invalidField('act', 'The form is of another version of this page. Load the page again.');
  return wanted(visit, field);
}

/** Cookies and the next page, after something was done that leaves nothing else to show. @param path where to go, with its query */
export function afterwards({ signIn, said }: Done, path: string, publicUrl: string) {
  const address = new URL(path, publicUrl);
  if (said && Object.hasOwn(SAID, said)) address.searchParams.set('done', said);
  return {
    goTo: address.pathname + address.search,
    ...(signIn !== undefined && { cookie: walletCookie(signIn ?? undefined, publicUrl) }),
  };
}

/** The sentence of a refusal; anything else is thrown on. */
export function wordsOf(error: unknown): string {
  if (error instanceof AtelierError) return error.message;
  throw error;
}
