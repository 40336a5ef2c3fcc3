import { html } from 'hono/html';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html, Page } from '../../../core/html/html_page.ts';
import type { Limit } from '../../../features/definitions/tool.ts';
import { cookieIn } from '../cookie_in.ts';
import type { Shown, Visit } from '../types.ts';

/** What the pages of operators take as a form. */
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
/** How often a page is asked for again by a browser without programs while something is fetched. */
export const FETCHING_REFRESH_SECONDS = 5;

/** Holds the token of an operator, for the pages of operators alone. */
const OPERATOR_COOKIE = 'atelier_operator';
/** Holds what a browser has to bring back from the identity provider. */
const SIGN_IN_COOKIE = 'atelier_sign_in';
const PATH = '/operate';

/** The token in a Cookie header. */
export const operatorTokenIn = (cookies: string | undefined): string | undefined =>
  cookieIn(cookies, OPERATOR_COOKIE);

/** State stored while an operator is at the identity provider. */
export const signInSecretIn = (cookies: string | undefined): string | undefined =>
  cookieIn(cookies, SIGN_IN_COOKIE);

/** A value of Set-Cookie; without a token, one that ends it. */
export const operatorCookie = (token: string | undefined, publicUrl: string): string =>
  cookie(OPERATOR_COOKIE, { value: token, publicUrl });

/** The same for what has to come back. */
export const signInCookie = (secret: string, publicUrl: string): string =>
  cookie(SIGN_IN_COOKIE, { value: secret, publicUrl, seconds: SIGN_IN_SECONDS });

interface Held {
  readonly value: string | undefined;
  readonly publicUrl: string;
  /** Absent: until the browser is closed. */
  readonly seconds?: number;
}

/** Lax, as it has to come along when the identity provider sends the browser back; forms of other sites are refused all the same. */
function cookie(name: string, { value, publicUrl, seconds }: Held): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const age = value === undefined ? '; Max-Age=0' : seconds === undefined ? '' : `; Max-Age=${seconds}`;
  return `${name}=${value ?? ''}; Path=${PATH}; HttpOnly; SameSite=Lax${secure}${age}`;
}

/** What the pages of operators have in common. */
export const ofOperators = {
  shape: 'wide' as const,
  files: ['studio.css', 'operate.css'] as const,
  policy: { 'form-action': "'self'" },
};

/** Shows a page to an operator, by the token in the cookie; to everybody else how to sign in, and why not yet. */
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

/** After signing out here; the session at the provider continues, and would sign in again anyone who uses this browser. */
export async function signedOutPage(visit: Visit): Promise<Page> {
  const { studio } = visit;
  const { signIn } = studio.kit.services.operators;
  const ends = await signIn?.endAddress(`${studio.publicUrl}/operate`).catch(withoutAnswer);
  const goesOn = html` You are still signed in at your identity provider.`;
  return signInPage(
    visit,
    undefined,
    html`<p class="note" role="status">You are signed out of this server.${ends ? html`${goesOn} <a href="/operate/sign_out">Sign out there</a>` : signIn ? goesOn : ''}</p>`,
  );
}

/** Signing out works even where the provider cannot be reached. */
function withoutAnswer(error: unknown): undefined {
  if (!(error instanceof AtelierError) || error.code !== 'upstream_failed') throw error;
}

export const signInPage = ({ studio }: Visit, problem?: string, said?: Html): Page => ({
  ...ofOperators,
  title: 'Operate',
  ...(problem && { status: 403 }),
  heading: html`<h1>Operate this server</h1>`,
  body: html`${problem ? html`<p class="note bad" role="alert">${problem}</p>` : ''}${said ?? ''}
${studio.kit.services.operators.signIn ? html`<p class="row after-act"><a class="button main" href="/operate/sign_in">Sign in</a><span class="small quiet">With the identity provider of this server.</span></p>` : ''}
<form class="ticket narrow" method="post" action="/operate"><label><span>Token</span><input name="token" type="password" required placeholder="atl_op_…" autocomplete="off"></label>
<button class="main" name="act" value="enter">Sign in</button>
<p class="small quiet">Run <code>atelier admin token &lt;name&gt; &lt;reason&gt;</code> on the server's machine to create one. <a href="/docs/operating/operators">Operators</a></p></form>`,
});
