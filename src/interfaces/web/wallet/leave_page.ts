import { html } from 'hono/html';
import { z } from 'zod';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { closeWallet, reopenWallet } from '../../../features/account/routes/export/close.ts';
import { ask } from '../ask.ts';
import { creditsLabel } from '../frame.ts';
import { momentLabel } from '../moment_label.ts';
import type { Visit } from '../types.ts';
import type { Acts } from './form_acts.ts';
import { doneField } from './said.ts';
import { proveForm } from './sign_in.ts';
import { walletPart } from './wallet_part.ts';

/** Closing asks for the last characters of the address, which are not typed by accident. */
const ADDRESS_END_DIGITS = 6;

const endOf = (wallet: string): string => wallet.slice(-ADDRESS_END_DIGITS);

/** What the forms of the page for leaving do. */
const LEAVE_ACTS: Acts = {
  close: async (visit, field) => {
    const { wallet } = visit.visitor;
    if (wallet === undefined || field('address_end').toLowerCase() !== endOf(wallet))
      throw invalidField(
        'address_end',
        `Nothing was closed. Type the last ${ADDRESS_END_DIGITS} digits of the address of this wallet to close it.`,
      );
    await ask(visit, closeWallet, { dry_run: false });
    return { signIn: null, said: 'closed' };
  },
  reopen: async (visit) => {
    await ask(visit, reopenWallet);
    return { said: 'reopened' };
  },
};

/** Taking a wallet along as an archive, and closing it after what that would do was told. */
export const leavePage = walletPart({
  name: 'wallet_leave',
  path: '/wallet/leave',
  title: 'Take it along, or close it',
  input: z.object({ closing: z.literal('yes').optional().catch(undefined), done: doneField }),
  acts: LEAVE_ACTS,
  addressOf: () => '/wallet/leave',
  async body({ closing }, visit, wallet) {
    if (!visit.visitor.isOwner)
      return html`<p class="lead quiet">Both are for the owner. Prove that the wallet is yours.</p><div class="ways">${proveForm}</div>`;
    return html`<section class="first"><h2>Take it along</h2>
<p class="quiet">Files with their versions, tables with what was done on them, receipts, registered hashes, posts and the names of keys, as one archive with a manifest this server signs. Another server takes it by <code>POST /api/wallet/import</code>. Credits stay here.</p>
<p><a class="button main" href="/wallet/export.tar" download>Download the archive</a></p></section>
<section><h2>Close the account</h2>
${closing ? closeHtml(await askClosing(visit), wallet) : html`<p class="quiet">Keys, sessions and webhooks end, files go into the trash, and credits that are left can no more be spent.</p><p><a class="button" href="/wallet/leave?closing=yes">See what would happen</a></p>`}</section>
<section><h2>Closed before?</h2><p class="quiet">A wallet that was closed here by its owner can spend again once it is reopened.</p>
<form method="post"><button name="act" value="reopen">Reopen it</button></form></section>`;
  },
});

const askClosing = (visit: Visit) => ask(visit, closeWallet, { dry_run: true });
type Closing = Awaited<ReturnType<typeof askClosing>>;

function closeHtml(told: Closing, wallet: string): Html {
  const rows: readonly (readonly [string, string])[] = [
    ['Credits that can no more be spent', creditsLabel(told.balance)],
    ['Keys that end', String(told.keys_revoked)],
    ['Sessions that end', String(told.sessions_ended)],
    ['Files that go into the trash', String(told.assets_trashed)],
    ['Webhooks that end', String(told.webhooks_ended)],
    ['Jobs that are canceled', String(told.jobs_canceled)],
    ['Posts that are hidden', String(told.posts_hidden)],
    ['Recipes that are deleted', String(told.recipes_deleted)],
    ['Workspaces that are deleted', String(told.workspaces_deleted)],
    ['Files can be restored until', `${momentLabel(told.purge_at)} UTC`],
    ['What stays', told.stays.join('; ')],
  ];
  return html`<p>This is what would happen. Nothing has happened yet.</p>
<dl class="rows told">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<details class="danger"><summary>Close it</summary><form class="line" method="post" autocomplete="off"><label><span>The last ${ADDRESS_END_DIGITS} digits of ${wallet.slice(0, 6)}…</span><input name="address_end" required pattern="[0-9a-fA-F]{${ADDRESS_END_DIGITS}}" maxlength="${ADDRESS_END_DIGITS}" placeholder="${'0'.repeat(ADDRESS_END_DIGITS)}" autocomplete="off" spellcheck="false" title="${ADDRESS_END_DIGITS} digits of 0 to 9, a to f"></label><button name="act" value="close">Close the account</button></form><p class="small quiet">Your wallet is <code>${wallet}</code>. Closing signs you out.</p></details>`;
}
