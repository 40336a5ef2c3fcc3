import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { TestApp } from './open_test_app.ts';

/** A wallet owner with the private key. Signs with viem, independently of the code under test. */
export interface Owner {
  readonly account: PrivateKeyAccount;
  /** Lower case. */
  readonly wallet: string;
  /** The header of a client that only knows the address. */
  readonly bare: Record<string, string>;
  /** Opens a session and returns its header. */
  signIn(): Promise<Record<string, string>>;
  /** Creates a key with a new session and returns its header and id. */
  makeKey(
    key?: Record<string, unknown>,
  ): Promise<{ header: Record<string, string>; id: string; token: string }>;
}

export const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });

/** An owner whose wallet is registered. */
export async function newOwner(app: TestApp): Promise<Owner> {
  const account = privateKeyToAccount(generatePrivateKey());
  const wallet = account.address.toLowerCase();
  await app.post('/api/wallet/register', { wallet });
  const signIn = async () => {
    const { message } = (await app.post('/api/wallet/challenge', { wallet })).body;
    const signature = await account.signMessage({ message });
    return bearer((await app.post('/api/wallet/session', { message, signature })).body.token);
  };
  return {
    account,
    wallet,
    bare: bearer(wallet),
    signIn,
    async makeKey(key = {}) {
      const { body } = await app.post('/api/wallet/keys', { name: 'agent', ...key }, await signIn());
      return { header: bearer(body.token), id: body.key.id, token: body.token };
    },
  };
}
