import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { encodePart, type IssuerKey, newIssuerKey, signToken } from '../../../tests/support/token_issuer.ts';
import { createProvider } from './identity_provider.ts';

const ISSUER = 'https://login.example.org';
const NOW_S = 1_800_000_000;
type Json = Record<string, unknown>;

const first = newIssuerKey('k1');
const claims = { iss: ISSUER, aud: 'atelier', sub: 'u1', exp: NOW_S + 60, groups: ['staff', 'atelier'] };
const token = (body: Json = claims, key: IssuerKey = first): string => signToken(body, key);

/** A provider whose responses `world` defines. */
function given(more: Json = {}) {
  const world = {
    keys: [first.jwk] as unknown,
    about: {} as Json,
    isAway: false,
    isSilent: false,
    asked: 0,
    nowS: NOW_S,
  };
  const identify = createProvider({
    issuer: ISSUER,
    audience: 'atelier',
    claim: 'groups',
    operators: ['atelier'],
    readers: ['staff'],
    ...more,
    now: () => world.nowS * 1000,
    async fetchJson(url) {
      world.asked += 1;
      if (world.isAway) throw new Error('away');
      if (world.isSilent) await new Promise(() => {});
      if (url === `${ISSUER}/.well-known/openid-configuration`)
        return { issuer: ISSUER, jwks_uri: `${ISSUER}/keys`, ...world.about };
      return { keys: world.keys };
    },
  });
  return { identify, world };
}

test('a token for this audience authenticates an operator; provider keys are fetched once', async () => {
  const { identify, world } = given();
  expect(await identify(token())).toMatchObject({
    who: 'oidc u1',
    scopes: ['read', 'moderate', 'money', 'keys', 'upkeep'],
  });
  expect(await identify(token({ ...claims, groups: 'staff' }))).toMatchObject({ scopes: ['read'] });
  expect(world.asked).toBe(2);
});

test.each<[string, string]>([
  ['expired', token({ ...claims, exp: NOW_S - 61 })],
  ['"aud"', token({ ...claims, aud: 'another' })],
  ['"iss"', token({ ...claims, iss: 'https://evil.example' })],
  ['"exp"', token({ ...claims, exp: undefined })],
  ['security event token', token({ ...claims, events: {} })],
  ['"nbf"', token({ ...claims, nbf: NOW_S + 61 })],
  ['names no operator', token({ ...claims, groups: ['Atelier', 'atelier '] })],
  ['names no operator', token({ ...claims, groups: { atelier: true } })],
  ['signature', token(claims, newIssuerKey('k1'))],
  ['no applicable key', token(claims, newIssuerKey('k9'))],
  ['token is invalid', `${encodePart({ alg: 'none' })}.${encodePart(claims)}.`],
  ['token is invalid', 'a.b.c'],
])('an invalid token is rejected: %s', async (said, sent) => {
  const { identify } = given();
  await expect(identify(sent)).rejects.toMatchObject({ code: 'operator_required' });
  await expect(identify(sent)).rejects.toThrow(said);
});

test('a public key is not accepted as a shared secret', async () => {
  const head = `${encodePart({ alg: 'HS256', kid: 'k1' })}.${encodePart(claims)}`;
  const forged = createHmac('sha256', JSON.stringify(first.jwk)).update(head).digest('base64url');
  await expect(given().identify(`${head}.${forged}`)).rejects.toMatchObject({ code: 'operator_required' });
});

test('an e-mail address counts only when the provider has verified it', async () => {
  const { identify } = given({ claim: 'email', operators: ['ada@example.org'] });
  const mail = { ...claims, email: 'ada@example.org' };
  await expect(identify(token(mail))).rejects.toThrow('names no operator');
  expect(await identify(token({ ...mail, email_verified: true }))).toMatchObject({
    who: 'oidc ada@example.org',
  });
});

test('new keys are fetched after a cooldown, which also limits requests for unknown key ids', async () => {
  const { identify, world } = given();
  await identify(token());
  const second = newIssuerKey('k2');
  world.keys = [second.jwk];
  for (const kid of ['k2', 'k3', 'k4'])
    await expect(identify(token(claims, { ...second, kid }))).rejects.toThrow('no applicable key');
  expect(world.asked).toBe(2);
  world.nowS += 16;
  expect(await identify(token(claims, second))).toMatchObject({ who: 'oidc u1' });
  await expect(identify(token())).rejects.toThrow('no applicable key');
});

test('tokens with known keys keep working when an unknown key id appears during an outage', async () => {
  const { identify, world } = given();
  await identify(token());
  world.nowS += 16;
  world.isAway = true;
  const unknown = token(claims, newIssuerKey('k9'));
  await expect(identify(unknown)).rejects.toMatchObject({ code: 'upstream_failed' });
  expect(await identify(token())).toMatchObject({ who: 'oidc u1' });
  world.nowS += 16;
  Object.assign(world, { isAway: false, isSilent: true });
  identify(unknown).catch(() => {});
  await expect.poll(() => world.asked).toBe(4);
  expect(await identify(token())).toMatchObject({ who: 'oidc u1' });
});

test('an unreachable or mismatched provider is reported and soon retried', async () => {
  const { identify, world } = given();
  world.isAway = true;
  await expect(identify(token())).rejects.toMatchObject({ code: 'upstream_failed' });
  world.isAway = false;
  await expect(identify(token())).rejects.toMatchObject({ code: 'upstream_failed' });
  world.nowS += 16;
  world.about = { issuer: 'https://evil.example' };
  await expect(identify(token())).rejects.toMatchObject({ code: 'upstream_failed' });
  world.nowS += 16;
  world.about = {};
  expect(await identify(token())).toMatchObject({ who: 'oidc u1' });
});
