import { html } from 'hono/html';
import { z } from 'zod';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { closeWallet, reopenWallet } from '../../../features/account/routes/export/index.ts';
import { ask } from '../ask.ts';
import { creditsLabel } from '../frame.ts';
import { momentLabel } from '../labels.ts';
import type { Visit } from '../types.ts';
import { doneField } from './flash.ts';
import type { FormActions } from './form_actions.ts';
import { proveForm } from './sign_in.ts';
import { walletPart } from './wallet_part.ts';

/** Closing requires the last digits of the address, as protection against accidents. */
const ADDRESS_END_DIGITS = 6;

const endOf = (wallet: string): string => wallet.slice(-ADDRESS_END_DIGITS);

/** Form actions of the page. */
const LEAVE_ACTS: FormActions = {
  close: async (visit, field) => {
    const { wallet } = visit.visitor;
    if (wallet === undefined || field('address_end').toLowerCase() !== endOf(wallet))
      throw invalidField(
        'address_end',
        `The account was not closed. Enter the last ${ADDRESS_END_DIGITS} digits of the wallet address to close it.`,
      );
    await ask(visit, closeWallet, { dry_run: false });
    return { signIn: null, said: 'closed' };
  },
  reopen: async (visit) => {
    await ask(visit, reopenWallet);
    return { said: 'reopened' };
  },
};

/** Export of a wallet as an archive, and closing it after a preview of the effects. */
export const leavePage = walletPart({
  name: 'wallet_leave',
  path: '/wallet/leave',
  title: 'Export or close your account',
  input: z.object({ closing: z.literal('yes').optional().catch(undefined), done: doneField }),
  acts: LEAVE_ACTS,
  addressOf: () => '/wallet/leave',
  async body({ closing }, visit, wallet) {
    if (!visit.visitor.isOwner)
      return html`<p class="lead quiet">Only the owner can export or close the account. Sign a message to verify that you own the wallet.</p><div class="ways">${proveForm}</div>`;
    return html`<section class="first"><h2>Export</h2>
<p class="quiet">The archive contains files with their versions, tables with their history, receipts, registered hashes, posts and the names of keys, with a signed manifest. Import it on another server with <code>POST /api/wallet/import</code>. Credits stay on this server.</p>
<p><a class="button main" href="/wallet/export.tar" download>Download archive</a></p></section>
<section><h2>Close</h2>
${closing ? closeHtml(await askClosing(visit), wallet) : html`<p class="quiet">Closing revokes keys, ends sessions and webhooks, and moves files to the trash. The remaining credits cannot be spent while the account is closed.</p><p><a class="button" href="/wallet/leave?closing=yes">Preview closing</a></p>`}</section>
<section><h2>Reopen</h2><p class="quiet">If you closed this account, reopen it to use its credits again.</p>
<form method="post"><button name="act" value="reopen">Reopen account</button></form></section>`;
  },
});

const askClosing = (visit: Visit) => ask(visit, closeWallet, { dry_run: true });
type Closing = Awaited<ReturnType<typeof askClosing>>;

function closeHtml(told: Closing, wallet: string): Html {
  const rows: readonly (readonly [string, string])[] = [
    ['Credits you can no longer spend', creditsLabel(told.balance)],
    ['Keys revoked', String(told.keys_revoked)],
    ['Sessions ended', String(told.sessions_ended)],
    ['Files moved to the trash', String(told.assets_trashed)],
    ['Webhooks ended', String(told.webhooks_ended)],
    ['Jobs cancelled', String(told.jobs_canceled)],
    ['Posts hidden', String(told.posts_hidden)],
    ['Recipes deleted', String(told.recipes_deleted)],
    ['Workspaces deleted', String(told.workspaces_deleted)],
    ['Files can be restored until', `${momentLabel(told.purge_at)} UTC`],
    ['Data that stays', told.stays.join('; ')],
  ];
  return html`<p>Closing the account would have these effects. Nothing has changed yet.</p>
<dl class="rows told">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<details class="danger"><summary>Close account</summary><form class="line" method="post" autocomplete="off"><label><span>The last ${ADDRESS_END_DIGITS} digits of ${wallet.slice(0, 6)}…</span><input name="address_end" required pattern="[0-9a-fA-F]{${ADDRESS_END_DIGITS}}" maxlength="${ADDRESS_END_DIGITS}" placeholder="${'0'.repeat(ADDRESS_END_DIGITS)}" autocomplete="off" spellcheck="false" title="${ADDRESS_END_DIGITS} digits of 0 to 9, a to f"></label><button name="act" value="close">Close account</button></form><p class="small quiet">Your wallet is <code>${wallet}</code>. Closing signs you out.</p></details>`;
}
