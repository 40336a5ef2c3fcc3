import { html } from 'hono/html';
import type { z } from 'zod';
import type { Html } from '../../../core/html/html_page.ts';
import { definePage, type StudioPage, type Visit } from '../types.ts';
import { type doneField, flashHtml } from './flash.ts';
import { afterwards, type FormActions, runFormAction, wordsOf } from './form_actions.ts';
import { WALLET_FORM } from './limits.ts';

/** A subpage of the wallet. Visitors without a wallet are redirected to /wallet. */
interface Part<Input extends z.ZodObject> {
  readonly name: string;
  readonly path: `/wallet/${string}`;
  readonly title: string;
  readonly input: Input;
  readonly acts: FormActions;
  /** Content below the heading. @throws AtelierError, shown instead of the content */
  body(input: z.output<Input>, visit: Visit, wallet: string): Promise<Html>;
  /** Path and query to redirect to after a form. */
  addressOf(input: z.output<Input>): string;
}

type WithDone = z.ZodObject<{ done: typeof doneField }>;

export const walletPart = <Input extends WithDone>(part: Part<Input>): StudioPage<Input> =>
  definePage({
    name: part.name,
    path: part.path,
    input: part.input,
    form: WALLET_FORM,
    async show(input, visit) {
      const { wallet } = visit.visitor;
      if (wallet === undefined) return { goTo: '/wallet' };
      if (!visit.form) return page(part, input, visit, wallet);
      try {
        const done = await runFormAction(part.acts, visit, visit.form);
        const path = done.signIn === null ? '/wallet' : part.addressOf(input);
        return afterwards(done, path, visit.studio.publicUrl);
      } catch (error) {
        return page(part, input, visit, wallet, wordsOf(error));
      }
    },
  });

async function page<Input extends WithDone>(
  part: Part<Input>,
  input: z.output<Input>,
  visit: Visit,
  wallet: string,
  problem?: string,
) {
  const body = await part
    .body(input, visit, wallet)
    .catch((error) => html`<p class="lead">${wordsOf(error)}</p>`);
  return {
    title: part.title,
    shape: 'wide' as const,
    files: ['studio.css', 'wallet.css', 'connect.ts'] as const,
    policy: { 'form-action': "'self'" },
    ...(problem && { status: 400 }),
    heading: html`<p class="quiet over"><a href="/wallet">Wallet</a></p><h1>${part.title}</h1>`,
    body: html`${flashHtml(input.done, problem)}${body}`,
  };
}
