import { AtelierError } from '../errors.ts';
import type { Caller } from './caller.ts';

const WALLET = /^0[xX][0-9a-fA-F]{40}$/;

/**
 * The wallet a bearer token stands for, lower case; undefined without one.
 * @throws AtelierError invalid_token for anything that is not a wallet address
 */
export function identify({ bearer }: Pick<Caller, 'bearer'>): string | undefined {
  if (bearer === undefined) return undefined;
  if (WALLET.test(bearer)) return bearer.toLowerCase();
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
