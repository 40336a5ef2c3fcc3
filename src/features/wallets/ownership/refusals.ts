import { AtelierError } from '../../../core/errors/atelier_error.ts';

/** @param why ends a sentence: "The signed message is not accepted: …" */
export const badSignature = (why: string, wallet: string): AtelierError =>
  new AtelierError('invalid_signature', `The proof is not accepted: ${why}.`, {
    members: {
      next_steps: [
        {
          action: 'Ask for a fresh message',
          cost: 'free',
          endpoint: 'POST /api/wallet/challenge',
          why: 'Sign it as it stands (personal_sign, EIP-191) and send it to POST /api/wallet/session',
          params: { wallet },
        },
      ],
    },
  });

/** What a signature over a request has to cover, as RFC 9421 (5.1) asks for it. */
const WANTED =
  'wallet=("@method" "@authority" "@path" "@query" "content-digest");created;expires;nonce;keyid;tag="erc8128"';

/** @param base what the signature would have to be over, where it came to that */
export const badSignedRequest = (why: string, base?: string): AtelierError =>
  new AtelierError('invalid_signature', `The signature of the request is not accepted: ${why}.`, {
    headers: { 'Accept-Signature': WANTED },
    members: {
      ...(base !== undefined && { signature_base: base }),
      next_steps: [
        {
          action: 'Sign the request anew',
          cost: 'free',
          endpoint: 'GET /.well-known/erc8128',
          why: 'Says what a signature has to cover and for how long it may count',
        },
      ],
    },
  });

export const invalidToken = (detail: string): AtelierError =>
  new AtelierError(
    'invalid_token',
    `${detail} A session starts at POST /api/wallet/challenge; keys are made at POST /api/wallet/keys.`,
    { headers: { 'WWW-Authenticate': 'Bearer realm="atelier", error="invalid_token"' } },
  );
