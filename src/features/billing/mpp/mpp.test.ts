import { expect, test } from 'vitest';
import { createMpp } from './mpp.ts';

const mpp = createMpp({ realm: 'a.test', secret: 'secret of this server', profileId: 'profile_test' });
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A credential for a challenge, with modified fields. */
function credential(more: (challenge: { id: string }) => object = () => ({})): string {
  const { description, request, ...challenge } = mpp.challenge({
    tool: 'save_asset',
    amountCents: 50,
    description: 'an asset',
  });
  const sent = { ...challenge, request: encode(request), ...more(challenge) };
  return encode({ challenge: sent, payload: { spt: 'spt_1' } });
}

test('a challenge returned unmodified is accepted as a payment', () => {
  expect(mpp.read(credential())).toMatchObject({ tool: 'save_asset', amountCents: 50, token: 'spt_1' });
});

test.each(['=', '!!', ' ', '\n'])(
  'an ID with %j appended would identify another payment and is rejected',
  (junk) => {
    expect(() => mpp.read(credential(({ id }) => ({ id: id + junk })))).toThrow('was modified');
  },
);
