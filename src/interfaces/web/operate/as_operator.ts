import { html } from 'hono/html';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html, Page } from '../../../core/html/html_page.ts';
import type { Limit } from '../../../features/definitions/tool.ts';
import { cookieIn } from '../cookies.ts';
import type { Shown, Visit } from '../types.ts';

/** Limits of the forms of operator pages. */
export const OPERATE_FORM: { readonly bytesMax: number; readonly limit: Limit } = {
  bytesMax: 64 * 1024,
  limit: { name: 'operate-page', calls: 600, perSeconds: 600, by: 'address' },
};
/** Each sign-in asks the identity provider. */
export const SIGN_IN_LIMIT: Limit = {
  name: 'operate-sign-in',
  calls: 60,
  perSeconds: 600,
  by: 'address',
  failuresCount: true,
};
/** How long an operator may take at the identity provider. */
const SIGN_IN_SECONDS = 600;
/** Reload interval without JavaScript during a download. */
export const FETCHING_REFRESH_SECONDS = 5;

/** Holds the operator token, limited to the operator pages. */
const OPERATOR_COOKIE = 'atelier_operator';
/** Holds the sign-in state during the visit to the identity provider. */
const SIGN_IN_COOKIE = 'atelier_sign_in';
const PATH = '/operate';

/** The token in a Cookie header. */
export const operatorTokenIn = (cookies: string | undefined): string | undefined =>
  cookieIn(cookies, OPERATOR_COOKIE);

/** State stored while an operator is at the identity provider. */
export const signInSecretIn = (cookies: string | undefined): string | undefined =>
  cookieIn(cookies, SIGN_IN_COOKIE);

/** Set-Cookie value; without a token it deletes the cookie. */
export const operatorCookie = (token: string | undefined, publicUrl: string): string =>
  cookie(OPERATOR_COOKIE, { value: token, publicUrl });

/** The same for the sign-in state. */
export const signInCookie = (secret: string, publicUrl: string): string =>
  cookie(SIGN_IN_COOKIE, { value: secret, publicUrl, seconds: SIGN_IN_SECONDS });

interface Held {
  readonly value: string | undefined;
  readonly publicUrl: string;
  /** Unset: until the browser is closed. */
  readonly seconds?: number;
}

/** Lax, because the redirect from the identity provider must send it; forms of other sites are rejected separately. */
function cookie(name: string, { value, publicUrl, seconds }: Held): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const age = value === undefined ? '; Max-Age=0' : seconds === undefined ? '' : `; Max-Age=${seconds}`;
  return `${name}=${value ?? ''}; Path=${PATH}; HttpOnly; SameSite=Lax${secure}${age}`;
}

/** Common properties of operator pages. */
export const ofOperators = {
  shape: 'wide' as const,
  files: ['studio.css', 'operate.css'] as const,
  policy: { 'form-action': "'self'" },
};

/** Shows a page to an operator with a token in the cookie, and the sign-in page to other visitors. */
export async function asOperator(visit: Visit, show: (visit: Visit) => Promise<Shown>): Promise<Shown> {
  const bearer = operatorTokenIn(visit.call.header('cookie'));
  if (bearer === undefined) return signInPage(visit);
  try {
    return await show({ ...visit, caller: { ...visit.caller, bearer } });
  } catch (error) {
    if (error instanceof AtelierError && REFUSALS.includes(error.code))
      return signInPage(visit, error.message);
    throw error;
  }
}

const REFUSALS: readonly string[] = ['operator_required', 'operator_denied', 'rate_limited'];

/** Shown after signing out. The session at the identity provider continues and could sign in the next user of this browser. */
export async function signedOutPage(visit: Visit): Promise<Page> {
  const { studio } = visit;
  const { signIn } = studio.context.services.operators;
  const ends = await signIn?.endAddress(`${studio.publicUrl}/operate`).catch(withoutAnswer);
  const goesOn = html` You are still signed in at your identity provider.`;
  return signInPage(
    visit,
    undefined,
    html`<p class="note" role="status">You are signed out of this server.${ends ? html`${goesOn} <a href="/operate/sign_out">Sign out at the provider</a>` : signIn ? goesOn : ''}</p>`,
  );
}

/** Signing out works even if the provider is unreachable. */
function withoutAnswer(error: unknown): undefined {
  if (!(error instanceof AtelierError) || error.code !== 'upstream_failed') throw error;
}

export const signInPage = ({ studio }: Visit, problem?: string, said?: Html): Page => ({
  ...ofOperators,
  title: 'Operate',
  ...(problem && { status: 403 }),
  heading: html`<h1>Operate this server</h1>`,
  body: html`${problem ? html`<p class="note bad" role="alert">${problem}</p>` : ''}${said ?? ''}
${studio.context.services.operators.signIn ? html`<p class="row after-act"><a class="button main" href="/operate/sign_in">Sign in</a><span class="small quiet">Uses the identity provider of this server.</span></p>` : ''}
<form class="ticket narrow" method="post" action="/operate"><label><span>Token</span><input name="token" type="password" required placeholder="atl_op_…" autocomplete="off"></label>
<button class="main" name="act" value="enter">Sign in</button>
<p class="small quiet">To create a token, run <code>atelier admin token &lt;name&gt; &lt;reason&gt;</code> on the server. <a href="/docs/operating/operators">About operator tokens</a></p></form>`,
});
