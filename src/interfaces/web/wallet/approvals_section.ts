import { html } from 'hono/html';
import type { z } from 'zod';
import type { Html } from '../../../core/html/html_page.ts';
import type { approvalFields } from '../../../features/wallets/routes/approvals.ts';
import { creditsLabel } from '../frame.ts';
import { ledger } from '../ledger.ts';
import { momentLabel } from '../moment_label.ts';
import { addressHere } from '../tools/result_html.ts';
import type { Studio } from '../types.ts';

type Approvals = readonly z.output<typeof approvalFields>[];

/** Calls that wait for their owner, and those of the last day; nothing where no call ever asked. */
export function approvalsSection(
  approvals: Approvals,
  { publicUrl, tools }: Pick<Studio, 'publicUrl' | 'tools'>,
): Html {
  if (approvals.length === 0) return html``;
  const waiting = approvals.filter(({ state }) => state === 'waiting').length;
  const titleOf = (name: string) => tools.find((tool) => tool.name === name)?.title ?? name;
  return html`<section><div class="head"><h2>${waiting === 0 ? 'No call waits for you' : waiting === 1 ? 'One call waits for you' : `${waiting} calls wait for you`}</h2><p class="small quiet">Approving takes your signature, and is good for that call alone, once.</p></div>
${ledger(
  ['Call', 'Costs', 'Asked by', 'Until, UTC', ''],
  approvals.map(({ tool, credits, asked_by: by, state, params, expires_at: ends, url }) => [
    html`${titleOf(tool)} <span class="may small quiet"><bdi>${params.slice(0, PARAMS_CHARACTERS_SHOWN)}</bdi></span>`,
    creditsLabel(credits),
    html`<bdi>${by}</bdi>`,
    momentLabel(ends),
    state === 'waiting'
      ? html`<a class="button" href="${addressHere(publicUrl)(url)}">Decide</a>`
      : STATES[state],
  ]),
)}</section>`;
}

const PARAMS_CHARACTERS_SHOWN = 120;

const STATES = {
  approved: 'approved, not sent yet',
  refused: 'refused',
  used: 'approved and sent',
  expired: 'not answered in time',
} as const;
