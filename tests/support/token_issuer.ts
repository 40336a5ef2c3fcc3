import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { OPERATOR_SCOPES } from '../../src/features/operator/routes/keys.ts';
import type { TestApp } from './open_test_app.ts';
import { bearer } from './owner.ts';

/** Client id of the tested service at the provider. */
const CLIENT = 'studio';
const CLIENT_SECRET = 'a secret of the client';

/**
 * A key pair of a token issuer: ES256, created and used by Node itself, independently of the library of the
 * service.
 */
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

interface Begun {
  readonly challenge: string;
  readonly nonce: string;
  readonly redirectUri: string;
}

/** A local OpenID provider with the endpoints that the service uses; every sign-in succeeds as ada. */
export async function startIssuer() {
  const key = newIssuerKey('k1');
  const begun = new Map<string, Begun>();
  /** Overrides of a test. */
  const world = { groups: ['staff'] as readonly string[], claims: {} as object, about: {} as object };
  const claims = () => ({
    iss: issuer,
    sub: 'ada',
    exp: Math.floor(Date.now() / 1000) + 3600,
    groups: world.groups,
  });

  /** Redirects the browser back with a code (RFC 6749, 4.1.2). */
  function authorize(query: URLSearchParams): string {
    const code = randomBytes(16).toString('hex');
    const redirectUri = query.get('redirect_uri') ?? '';
    const [challenge, nonce] = [query.get('code_challenge') ?? '', query.get('nonce') ?? ''];
    begun.set(code, { challenge, nonce, redirectUri });
    const back = new URLSearchParams({ code, state: query.get('state') ?? '', iss: issuer });
    return `${redirectUri}?${back}`;
  }
  /** Exchanges a code for a token, once, for a client with the code verifier (RFC 7636, 4.6). */
  function redeem(form: URLSearchParams, authorization: string | undefined): object | undefined {
    const code = form.get('code') ?? '';
    const one = begun.get(code);
    begun.delete(code);
    const made = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isClient =
      authorization ===
      `Basic ${Buffer.from(`${CLIENT}:${CLIENT_SECRET.replaceAll(' ', '+')}`).toString('base64')}`;
    if (!isClient || one?.challenge !== made || form.get('redirect_uri') !== one.redirectUri)
      return undefined;
    return { id_token: signToken({ ...claims(), aud: CLIENT, nonce: one.nonce, ...world.claims }, key) };
  }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    if (url.pathname === '/authorize')
      return void response.writeHead(302, { location: authorize(url.searchParams) }).end();
    response.setHeader('content-type', 'application/json');
    if (url.pathname === '/token') {
      const token = redeem(new URLSearchParams(await text(request)), request.headers.authorization);
      return void response
        .writeHead(token ? 200 : 400)
        .end(JSON.stringify(token ?? { error: 'invalid_grant' }));
    }
    const about = {
      issuer,
      jwks_uri: `${issuer}/keys`,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      ...world.about,
    };
    response.end(JSON.stringify(url.pathname === '/keys' ? { keys: [key.jwk] } : about));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    world,
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_AUDIENCE: 'atelier',
      OIDC_OPERATORS: 'staff',
      OIDC_READERS: 'guests',
      OIDC_CLIENT_ID: CLIENT,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      ALLOW_PRIVATE_FETCH: 'true',
    },
    tokenOf: (groups: readonly string[]) => bearer(signToken({ ...claims(), aud: 'atelier', groups }, key)),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Headers of one operator per scope, and of one with all scopes. */
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
