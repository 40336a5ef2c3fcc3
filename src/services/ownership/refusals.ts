import { AtelierError } from '../../errors.ts';

/** @param why ends a sentence: "The signed message is not accepted: …" */
export const badSignature = (why: string): AtelierError =>
  new AtelierError('invalid_signature', `The proof is not accepted: ${why}.`, {
    members: {
      next_steps: [
        {
          action: 'Ask for a fresh message',
          cost: 'free',
          endpoint: 'POST /api/wallet/challenge',
          why: 'Sign it as it stands (personal_sign, EIP-191) and send it to POST /api/wallet/session',
          params: { wallet: '0x…' },
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
