import { noInput } from '../no_input.ts';
import { definePage } from '../types.ts';
import { rememberedBack } from './back.ts';

/** Redirects after a payment to the page it was made for, else to the wallet. */
export const backPage = definePage({
  name: 'wallet_back',
  path: '/wallet/back',
  input: noInput,
  show: async (_input, visit) => ({ goTo: rememberedBack(visit) ?? '/wallet' }),
});
