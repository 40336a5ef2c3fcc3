import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import type { Visit } from '../types.ts';
import { FLASH_MESSAGES, type FlashName } from './flash.ts';
import { walletCookie } from './wallet_cookie.ts';

/** Outcome of a form: a bearer to sign in with, null to sign out, a token to show once, and the message of the next page. */
export interface FormResult {
  readonly signIn?: string | null;
  readonly newKey?: { readonly name: string; readonly token: string };
  /** An account whose key the server stores, with its claim link, which is shown once. */
  readonly opened?: { readonly wallet: string; readonly credits: number; readonly claimUrl: string };
  readonly said?: FlashName;
}

/** Action of a button. @param field trimmed text of a form field, empty if missing */
export type FormAction = (visit: Visit, field: (name: string) => string) => Promise<FormResult>;
/** Actions by the value of the button. */
export type FormActions = Readonly<Record<string, FormAction>>;

/** Runs the action of the pressed button. @throws AtelierError */
export async function runFormAction(acts: FormActions, visit: Visit, form: FormData): Promise<FormResult> {
  const field = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const name = field('act');
  const wanted = Object.hasOwn(acts, name) ? acts[name] : undefined;
  if (!wanted) throw invalidField('act', 'This form is outdated. Reload the page and try again.');
  return wanted(visit, field);
}

/** Redirect and cookies after an action without further output. @param path target with its query */
export function afterwards({ signIn, said }: FormResult, path: string, publicUrl: string) {
  const address = new URL(path, publicUrl);
  if (said && Object.hasOwn(FLASH_MESSAGES, said)) address.searchParams.set('done', said);
  return {
    goTo: address.pathname + address.search,
    ...(signIn !== undefined && { cookie: walletCookie(signIn ?? undefined, publicUrl) }),
  };
}

/** Message of an AtelierError; other errors are rethrown. */
export function wordsOf(error: unknown): string {
  if (error instanceof AtelierError) return error.message;
  throw error;
}
