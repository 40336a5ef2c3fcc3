import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OPERATOR_SCOPES } from '../../src/operations/operator/keys.ts';
import type { TestApp } from './open_test_app.ts';
import { bearer } from './owner.ts';

/** A key pair of an issuer of tokens: ES256, made and used by Node itself, so that our library is not its own judge. */
export interface IssuerKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly jwk: Readonly<Record<string, unknown>>;
}

export function newIssuerKey(kid: string): IssuerKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' } };
}

export const encodePart = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

export function signToken(claims: object, { kid, privateKey }: IssuerKey): string {
  const signed = `${encodePart({ alg: 'ES256', typ: 'JWT', kid })}.${encodePart(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

/** An OpenID provider on this machine, as far as a server asks it. */
export async function startIssuer() {
  const key = newIssuerKey('k1');
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const isKeys = request.url === '/keys';
    response.end(JSON.stringify(isKeys ? { keys: [key.jwk] } : { issuer, jwks_uri: `${issuer}/keys` }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const exp = Math.floor(Date.now() / 1000) + 3600;
  return {
    settings: {
      ...{ OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'atelier', OIDC_OPERATORS: 'staff', OIDC_READERS: 'guests' },
      ALLOW_PRIVATE_FETCH: 'true',
    },
    tokenOf: (groups: readonly string[]) =>
      bearer(signToken({ iss: issuer, aud: 'atelier', sub: 'ada', exp, groups }, key)),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Headers of an operator for each scope, and of one who has all. */
export async function makeOperatorTokens(app: TestApp, maker: Record<string, string>) {
  const make = async (name: string, scopes: readonly string[]) => {
    const wanted = { name, scopes, reason: 'for a test' };
    return bearer((await app.post('/api/operator/token', wanted, maker)).body.token);
  };
  return {
    read: await make('read', ['read']),
    money: await make('money', ['money']),
    keys: await make('keys', ['keys']),
    upkeep: await make('upkeep', ['upkeep']),
    all: await make('all', OPERATOR_SCOPES),
  };
}
