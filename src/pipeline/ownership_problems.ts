import { AtelierError } from '../errors/atelier_error.ts';

export const invalidToken = (): AtelierError =>
  new AtelierError(
    'invalid_token',
    'The bearer token must be a wallet address (0x followed by 40 hex digits), or a session or key of ours (atl_sess_…, atl_key_…).',
    { headers: { 'WWW-Authenticate': 'Bearer realm="atelier", error="invalid_token"' } },
  );

export const otherSignerError = (signer: string, named: string): AtelierError =>
  new AtelierError(
    'wallet_mismatch',
    `The request is signed by ${signer}, and its bearer is of ${named}. Send one of them, or both of the same wallet.`,
  );

/** @param what ends the sentence "The wallet 0x… is locked, so its address alone does not …" */
export const walletLocked = (wallet: string, what: string): AtelierError =>
  new AtelierError(
    'wallet_locked',
    `The wallet ${wallet} is locked, so its address alone does not ${what}. Send a session or key of its owner as Authorization: Bearer atl_…, or sign the request (ERC-8128).`,
    {
      headers: {
        'WWW-Authenticate':
          'Bearer realm="atelier", error="invalid_token", error_description="wallet is locked; sign in"',
      },
      members: { next_steps: signIn(wallet) },
    },
  );

export const proofRequired = (wallet: string | undefined): AtelierError =>
  new AtelierError(
    'proof_required',
    'Only the owner of the wallet may do this: an address proves nothing. Send a session (POST /api/wallet/challenge begins one) as Authorization: Bearer atl_sess_…, or sign the request (ERC-8128).',
    {
      headers: { 'WWW-Authenticate': 'Bearer realm="atelier", error="invalid_token"' },
      members: { next_steps: wallet ? signIn(wallet) : [] },
    },
  );

/** How an owner gets a session. */
const signIn = (wallet: string) => [
  {
    action: 'Sign in as the owner',
    cost: 'free',
    endpoint: 'POST /api/wallet/challenge',
    why: 'Answers a message to sign with the key of the wallet; POST /api/wallet/session takes message and signature',
    params: { wallet },
  },
];
