import { SIGNED_REQUEST_LIFETIME_S_MAX } from '../config/limits.ts';

/** Requirements for request signatures of wallets. Member names: ERC-8128, with our additions. */
export const signedRequestsDocument = (publicUrl: string): object => ({
  max_validity_sec: SIGNED_REQUEST_LIFETIME_S_MAX,
  route_policies: { default: { replayable: false } },
  authority: new URL(publicUrl).host,
  tag: 'erc8128',
  keyid: 'eip155:<chain>:<address>',
  covered: [
    '@method',
    '@authority',
    '@path',
    '@query, if the URL has one',
    'content-digest, if there is a body',
  ],
  parameters: ['created', 'expires', 'nonce', 'keyid', 'tag'],
  digests: ['sha-256', 'sha-512'],
});
