import { html } from 'hono/html';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html, Page } from '../../../core/html/html_page.ts';
import type { Shown, Visit } from '../types.ts';
import { operatorTokenIn } from './operator_cookie.ts';

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

/** After a sign-in was ended here; the provider's own goes on, and would let in again whoever has this browser. */
export async function signedOutPage(visit: Visit): Promise<Page> {
  const { studio } = visit;
  const { signIn } = studio.kit.services.operators;
  const ends = await signIn?.endAddress(`${studio.publicUrl}/operate`).catch(withoutAnswer);
  const goesOn = html` Your identity provider still knows this browser.`;
  return signInPage(
    visit,
    undefined,
    html`<p class="note" role="status">You are signed out here.${ends ? html`${goesOn} <a href="/operate/sign_out">Sign out there too</a>` : signIn ? goesOn : ''}</p>`,
  );
}

/** A provider that cannot be asked keeps nobody from leaving. */
function withoutAnswer(error: unknown): undefined {
  if (!(error instanceof AtelierError) || error.code !== 'upstream_failed') throw error;
}

export const signInPage = ({ studio }: Visit, problem?: string, said?: Html): Page => ({
  ...ofOperators,
  title: 'Operate',
  ...(problem && { status: 403 }),
  heading: html`<h1>For the operator of this server</h1>`,
  body: html`${problem ? html`<p class="note bad" role="alert">${problem}</p>` : ''}${said ?? ''}
${studio.kit.services.operators.signIn ? html`<p class="row after-act"><a class="button main" href="/operate/sign_in">Sign in</a><span class="small quiet">With the identity provider of this server.</span></p>` : ''}
<form class="ticket narrow" method="post" action="/operate"><label><span>Token</span><input name="token" type="password" required placeholder="atl_op_…" autocomplete="off"></label>
<button class="main" name="act" value="enter">Look in</button>
<p class="small quiet">On the machine of the server, <code>npx atelier admin token &lt;name&gt; &lt;reason&gt;</code> makes one. <a href="/docs/operating/operators">Operators</a></p></form>`,
});
