import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { showDesk } from '../../../features/operator/routes/desk.ts';
import { ask } from '../ask.ts';
import { ledger } from '../ledger.ts';
import { momentLabel } from '../moment_label.ts';
import type { Visit } from '../types.ts';
import { actLink } from './act_link.ts';
import { actPath } from './acts.ts';

/** Price rules, tiers and weights, each with its action. @throws AtelierError operator_required */
export async function deskPart(visit: Visit): Promise<Html> {
  const { rules, tiers, weights } = await ask(visit, showDesk);
  return html`${section(
    {
      title: 'Price rules',
      act: 'price',
      label: 'Set a rule',
      none: 'No rules: every call costs what the list says.',
    },
    ['Rule', ''],
    rules.map(({ name, text }) => [text, actLink('end_price', name, `the price rule ${name}`)]),
  )}<p class="small quiet">The lowest price that fits a call counts, rounded up to whole credits. A quoted price holds for five minutes. Times are UTC.</p>
${section(
  { title: 'Tiers', act: 'tier', label: 'Set a tier', none: 'No wallet is in a tier.' },
  ['Wallet', 'Tier', 'Since, UTC', ''],
  tiers.map(({ wallet, tier, since }) => [
    html`<a href="/operate/wallets?wallet=${wallet}"><code>${wallet.slice(0, 6)}…${wallet.slice(-4)}</code></a>`,
    tier,
    momentLabel(since),
    actLink('tier', wallet, `of ${wallet}`),
  ]),
)}
${section(
  {
    title: 'Weights in the queue',
    act: 'weight',
    label: 'Set a weight',
    none: 'Everybody has the same share.',
  },
  ['Wallet or tier', 'Turns', ''],
  weights.map(({ who, weight }) => [
    who.startsWith('0x') ? html`<code>${who.slice(0, 6)}…${who.slice(-4)}</code>` : who,
    `${weight} for one of others`,
    actLink('weight', who, `of ${who}`),
  ]),
)}`;
}

interface Titled {
  readonly title: string;
  readonly act: string;
  readonly label: string;
  readonly none: string;
}

const section = ({ title, act, label, none }: Titled, names: string[], rows: (Html | string)[][]): Html =>
  html`<section><div class="head"><h2>${title}</h2><a href="${actPath(act)}">${label}</a></div>${
    rows.length === 0 ? html`<p class="quiet">${none}</p>` : ledger(names, rows)
  }</section>`;
