import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { readConfig } from '../../../src/config/config.ts';
import { OPERATOR_SCOPES } from '../../../src/features/operator/routes/keys.ts';
import { openOperator } from '../../../src/features/operator/service.ts';
import { postTo } from '../post_to.ts';
import { toppedUp } from '../topped_up.ts';
import type { Bearer } from './headers.ts';

/** A token of an operator with all scopes, created in the folder of a server that is not running. */
export async function makeOperator(settings: Record<string, string>): Promise<string> {
  const hand = await openOperator(readConfig({ LOG_LEVEL: 'silent', ...settings }));
  try {
    const expiresAt = new Date(Date.now() + 86_400_000);
    const by = { who: 'a test', why: 'requests made from the document' };
    return (await hand.operators.createToken(by, { name: 'made', scopes: OPERATOR_SCOPES, expiresAt })).token;
  } finally {
    await hand.close();
  }
}

/**
 * Clients of all kinds, three of them with wallets that have credits. Requests may lock, stop, close and
 * block wallets, so new ones are created from time to time.
 */
export async function newIdentities(url: string, operator: string): Promise<ReadonlyMap<Bearer, string>> {
  const post = (path: string, body: object) => postTo(url, path, body);
  const walletOf = async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const wallet = account.address.toLowerCase();
    await toppedUp(post, wallet);
    const { message } = (await post('/api/wallet/challenge', { wallet }))!.body;
    return { wallet, prove: async () => ({ message, signature: await account.signMessage({ message }) }) };
  };
  const sessionOf = async (owner: Awaited<ReturnType<typeof walletOf>>) =>
    (await post('/api/wallet/session', await owner.prove()))!.body.token as string;
  const [bare, keyed, proved] = [await walletOf(), await walletOf(), await walletOf()];
  const headers = { Authorization: `Bearer ${await sessionOf(keyed)}` };
  const key = await postTo(url, '/api/wallet/keys', { name: 'made', scopes: ['spend'] }, headers);
  return new Map<Bearer, string>([
    ['wallet', bare.wallet],
    ['key', key!.body.token],
    ['session', await sessionOf(proved)],
    ['operator', operator],
    ['stranger', `0x${'9'.repeat(40)}`],
    ['garbage', '\xe9 "x", Basic ='],
    ['unknown key', `atl_key_${'0'.repeat(64)}`],
  ]);
}
