import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { identityOf, type ProviderOptions, verifyToken } from './identity_provider.ts';
import { REFUSAL_CHARACTERS_SHOWN } from './limits.ts';
import { operatorRequired } from './operator_required.ts';
import { objectOf, type ProviderDocuments } from './provider_documents.ts';
import type { BrowserSignIn, Returned } from './types.ts';

export interface SignInOptions extends Pick<ProviderOptions, 'issuer' | 'claim' | 'operators' | 'readers'> {
  readonly documents: ProviderDocuments;
  /** Client id at the provider; the audience of its ID tokens. */
  readonly clientId: string;
  /** Absent: a public client, secured by PKCE alone. */
  readonly clientSecret?: string | undefined;
  /** Requested scopes, separated by spaces. */
  readonly scope: string;
  /** Posts a form and returns JSON. @throws Error for a status other than success */
  postForm(url: string, form: URLSearchParams, headers: Record<string, string>): Promise<unknown>;
  readonly now?: () => number;
}

/**
 * Sign-in by authorization code with PKCE (RFC 6749, 4.1; RFC 7636; OpenID Connect Core 1.0, 3.1). The browser stores state, nonce
 * and verifier meanwhile, inaccessible to scripts.
 */
export function createBrowserSignIn(options: SignInOptions): BrowserSignIn {
  const { documents, clientId, scope } = options;
  return {
    async begin(redirectUri) {
      const url = endpoint(options, (await documents(false)).about, 'authorization_endpoint');
      const [state, nonce, verifier] = [newSecret(), newSecret(), newSecret()];
      const asked = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: sha256(verifier).toString('base64url'),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
      return { url: url.href, secret: [state, nonce, verifier].join('.') };
    },
    async endAddress(returnTo) {
      const url = safeAddress(options, (await documents(false)).about.end_session_endpoint);
      if (!url) return undefined;
      // No token is stored to send as a hint, so the provider asks the user to confirm the sign-out.
      url.searchParams.set('client_id', clientId);
      url.searchParams.set('post_logout_redirect_uri', returnTo);
      return url.href;
    },
    async identify({ secret, state, issuer, code, redirectUri, refusal }) {
      const [ownState = '', nonce = '', verifier = ''] = secret?.split('.') ?? [];
      if ([ownState, nonce, verifier].includes('') || !isSame(ownState, state))
        throw operatorRequired(
          'This sign-in was not started in this browser, or has expired after 10 minutes. Start again.',
        );
      // Prevents mix-up attacks: a code of another issuer must not be redeemed here (RFC 9207).
      if (issuer !== undefined && issuer !== options.issuer)
        throw operatorRequired('The response came from another identity provider. Start again.');
      if (refusal) throw signInRefused(refusal);
      const token = await redeem(options, { code, verifier, redirectUri });
      const payload = await verifyToken(token, { ...options, audience: clientId });
      if (typeof payload.nonce !== 'string' || !isSame(nonce, payload.nonce))
        throw operatorRequired('The response belongs to another sign-in. Start again.');
      if (payload.azp !== undefined && payload.azp !== clientId)
        throw operatorRequired('The token was issued for another client.');
      return identityOf(payload, options);
    },
  };
}

/** Text of a redirect is shown as a quotation, without characters that could change the layout of the page. */
function signInRefused({ error, description = '' }: NonNullable<Returned['refusal']>): AtelierError {
  const said = (description.trim() || error)
    .slice(0, REFUSAL_CHARACTERS_SHOWN)
    .replaceAll(UNPRINTABLE, ' ')
    .trim();
  return new AtelierError(
    'operator_required',
    `The identity provider refused the sign-in. Its message: “${said}”. Sign in again, or ask the administrator of the provider.`,
  );
}

/** Control, format (bidirectional overrides among them) and surrogate characters, and the quotation marks around the message. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}“”]+/gu;

const newSecret = (): string => randomBytes(32).toString('base64url');
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (one: string, other: string): boolean => timingSafeEqual(sha256(one), sha256(other));

/** Redeems a code for the ID token. @throws AtelierError upstream_failed */
async function redeem(
  options: SignInOptions,
  { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
): Promise<string> {
  const { documents, clientId, clientSecret, postForm } = options;
  const { about } = await documents(false);
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    client_id: clientId,
  });
  const headers: Record<string, string> = {};
  if (clientSecret !== undefined) {
    if (takesSecretInForm(about)) form.set('client_secret', clientSecret);
    else
      headers.authorization = `Basic ${Buffer.from(`${formed(clientId)}:${formed(clientSecret)}`).toString('base64')}`;
  }
  try {
    const url = endpoint(options, about, 'token_endpoint').href;
    const { id_token: token } = objectOf(await postForm(url, form, headers));
    if (typeof token !== 'string') throw new Error('it returns no ID token');
    return token;
  } catch (cause) {
    throw new AtelierError(
      'upstream_failed',
      'The identity provider returned no token for the code. Start again; if that does not help, check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
      { cause },
    );
  }
}

/** Basic authentication, which every provider must support (RFC 6749, 2.3.1), unless its metadata excludes it. */
function takesSecretInForm({
  token_endpoint_auth_methods_supported: methods,
}: Readonly<Record<string, unknown>>): boolean {
  return (
    Array.isArray(methods) &&
    methods.includes('client_secret_post') &&
    !methods.includes('client_secret_basic')
  );
}

/** Form encoding, which Basic requires for both parts. */
const formed = (text: string): string => new URLSearchParams({ t: text }).toString().slice(2);

/** As secure as the issuer: https wherever the issuer uses it. */
function safeAddress({ issuer }: SignInOptions, address: unknown): URL | undefined {
  const url = typeof address === 'string' ? URL.parse(address) : null;
  return url?.protocol === new URL(issuer).protocol ? url : undefined;
}

/** @throws AtelierError upstream_failed where the provider lists no secure endpoint */
function endpoint(options: SignInOptions, about: Readonly<Record<string, unknown>>, name: string): URL {
  const url = safeAddress(options, about[name]);
  if (url) return url;
  throw new AtelierError(
    'upstream_failed',
    `The identity provider has no secure ${name}, so it cannot be used to sign in with a browser.`,
  );
}
