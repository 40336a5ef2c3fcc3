import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { noInput } from '../no_input.ts';
import { definePage, type Shown, type Visit } from '../types.ts';
import { operatorCookie, SIGN_IN_LIMIT, signInCookie, signInPage, signInSecretIn } from './as_operator.ts';

const redirectUriOf = ({ studio }: Visit): string => `${studio.publicUrl}/operate/callback`;

/** Sends an operator to the identity provider. */
export const signInStartPage = definePage({
  name: 'operate_sign_in',
  path: '/operate/sign_in',
  room: '/operate',
  input: noInput,
  limit: SIGN_IN_LIMIT,
  show: (_input, visit) =>
    orSignIn(visit, async () => {
      const { url, secret } = await signInOf(visit).begin(redirectUriOf(visit));
      return { goTo: url, cookie: signInCookie(secret, visit.studio.publicUrl) };
    }),
});

/** Redirects a signed-out browser to the identity provider to end its session there. */
export const signOutPage = definePage({
  name: 'operate_sign_out',
  path: '/operate/sign_out',
  room: '/operate',
  input: noInput,
  limit: SIGN_IN_LIMIT,
  show: (_input, visit) =>
    orSignIn(visit, async () => ({
      goTo: (await signInOf(visit).endAddress(`${visit.studio.publicUrl}/operate`)) ?? '/operate',
    })),
});

/** Redirect URI of the identity provider (RFC 6749, 4.1.2). */
export const signInCallbackPage = definePage({
  name: 'operate_callback',
  path: '/operate/callback',
  room: '/operate',
  input: z.object({
    code: z.string().max(4000).default(''),
    state: z.string().max(200).default(''),
    iss: z.string().max(500).optional(),
    error: z.string().max(200).optional(),
    error_description: z.string().max(1000).optional(),
  }),
  limit: SIGN_IN_LIMIT,
  show: ({ code, state, iss, error, error_description: description }, visit) =>
    orSignIn(visit, async () => {
      const { publicUrl } = visit.studio;
      const secret = signInSecretIn(visit.call.header('cookie'));
      const { token } = await signInOf(visit).finish({
        code,
        state,
        secret,
        issuer: iss,
        redirectUri: redirectUriOf(visit),
        ...(error !== undefined && { refusal: { error, description } }),
      });
      // The state cookie expires by itself and is useless once its code is redeemed.
      return { goTo: '/operate', cookie: operatorCookie(token, publicUrl) };
    }),
});

function signInOf({ studio }: Visit) {
  const { signIn } = studio.context.services.operators;
  if (signIn) return signIn;
  throw new AtelierError(
    'operator_required',
    'No identity provider is configured for browsers (OIDC_CLIENT_ID). Sign in with a token.',
  );
}

/** Errors are shown on the sign-in page. */
async function orSignIn(visit: Visit, work: () => Promise<Shown>): Promise<Shown> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AtelierError) return signInPage(visit, error.message);
    throw error;
  }
}
