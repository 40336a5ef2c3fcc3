import { html } from 'hono/html';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { Page } from '../../pages/html_page.ts';
import type { Shown, Visit } from '../contract.ts';
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

export const signInPage = ({ studio }: Visit, problem?: string): Page => ({
  ...ofOperators,
  title: 'Operate',
  ...(problem && { status: 403 }),
  heading: html`<h1>For the operator of this server</h1>`,
  body: html`${problem ? html`<p class="note bad" role="alert">${problem}</p>` : ''}
${studio.kit.services.operators.signIn ? html`<p class="row after-act"><a class="button main" href="/operate/sign_in">Sign in</a><span class="small quiet">With the identity provider of this server.</span></p>` : ''}
<form class="ticket narrow" method="post" action="/operate"><label><span>Token</span><input name="token" type="password" required placeholder="atl_op_…" autocomplete="off"></label>
<button class="main" name="act" value="enter">Look in</button>
<p class="small quiet">On the machine of the server, <code>npx atelier admin token &lt;name&gt; &lt;reason&gt;</code> makes one. <a href="/docs/operating/operators">Operators</a></p></form>`,
});
