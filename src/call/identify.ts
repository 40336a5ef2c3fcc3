import { AtelierError } from '../errors.ts';
import type { Caller } from './caller.ts';

const WALLET = /^0[xX][0-9a-fA-F]{40}$/;

/**
 * The wallet a bearer token stands for, lower case; undefined without one. Where nothing has to be paid, a token we do not
 * understand is no reason to refuse: many clients send one header everywhere, and free calls need no credentials.
 * @throws AtelierError invalid_token for anything that is not a wallet address, when it should pay
 */
export function identify(
  { bearer }: Pick<Caller, 'bearer'>,
  options: { mustPay: boolean },
): string | undefined {
  if (bearer === undefined) return undefined;
  if (WALLET.test(bearer)) return bearer.toLowerCase();
  if (!options.mustPay) return undefined;
  throw new AtelierError(
    'invalid_token',
    'The bearer token must be a wallet address: 0x followed by 40 hex digits.',
    {
      headers: { 'WWW-Authenticate': 'Bearer realm="atelier", error="invalid_token"' },
    },
  );
}

/** Who is counted: the wallet, else the network address. */
export const callerKey = (address: string, wallet: string | undefined): string => wallet ?? `ip:${address}`;
