import { createHash, randomBytes } from 'node:crypto';

/** A token of 256 random bits: `atl_sess_…` opens everything of a wallet, `atl_key_…` what its owner allowed. */
export const newToken = (kind: 'sess' | 'key'): string =>
  `atl_${kind}_${randomBytes(32).toString('base64url')}`;

const TOKEN = /^atl_(sess|key)_[A-Za-z0-9_-]{43}$/;

/** Which kind of token it claims to be; undefined where it is none of ours. */
export const kindOfToken = (token: string): 'sess' | 'key' | undefined =>
  TOKEN.exec(token)?.[1] as 'sess' | 'key' | undefined;

/** What is kept of a token. It is random enough that a plain hash cannot be searched. */
export const sha256Of = (token: string): string => createHash('sha256').update(token).digest('hex');
