import { invalidField } from '../../../core/errors/atelier_error.ts';
import { closeWallet, reopenWallet } from '../../../features/account/routes/export/close.ts';
import { ask } from '../ask.ts';
import type { Acts } from './form_acts.ts';

/** Closing asks for the last characters of the address, which are not typed by accident. */
export const ADDRESS_END_DIGITS = 6;

export const endOf = (wallet: string): string => wallet.slice(-ADDRESS_END_DIGITS);

/** What the forms of the page for leaving do. */
export const LEAVE_ACTS: Acts = {
  close: async (visit, field) => {
    const { wallet } = visit.visitor;
    if (wallet === undefined || field('address_end').toLowerCase() !== endOf(wallet))
      throw invalidField(
        'address_end',
        `Nothing was closed. Type the last ${ADDRESS_END_DIGITS} digits of the address of this wallet to close it.`,
      );
    await ask(visit, closeWallet, { dry_run: false });
    return { signIn: null, said: 'closed' };
  },
  reopen: async (visit) => {
    await ask(visit, reopenWallet);
    return { said: 'reopened' };
  },
};
