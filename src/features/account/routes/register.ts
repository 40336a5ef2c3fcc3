import { z } from 'zod';
import { costFields, freeAnswer } from '../../definitions/free_answer.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { afterRegistration, register, registerWallet, registration } from '../tools/register_wallet.ts';

/** The tool register_wallet at the path of the specification. */
export const registerOverRest = defineOperation({
  name: 'register',
  methods: ['POST'],
  path: '/api/wallet/register',
  tag: 'account',
  summary: registerWallet.summary,
  input: registerWallet.input,
  answer: z.object({ ...registration.shape, ...costFields }),
  limit: registerWallet.limit!,
  async run({ wallet }, services: Pick<Services, 'wallets' | 'ownership' | 'catalogue'>, call) {
    const registered = await register(wallet, services, call);
    return { ...registered, ...freeAnswer(services.catalogue, afterRegistration(registered)) };
  },
});
