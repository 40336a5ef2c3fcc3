import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import {
  type ListedDeadLetters as Listed,
  listDeadLetters,
} from '../../../features/operator/routes/dead_letters.ts';
import { ask } from '../ask.ts';
import { ledger } from '../ledger.ts';
import { momentLabel } from '../moment_label.ts';
import type { Visit } from '../types.ts';
import { actLink } from './act_link.ts';

/** Failed jobs and given-up deliveries, each with its actions. @throws AtelierError operator_required */
export async function deadLettersPart(visit: Visit): Promise<Html> {
  const { kinds, jobs, deliveries } = await ask(visit, listDeadLetters);
  if (kinds.length === 0) return html`<p class="quiet">No dead letters.</p>${ABOUT}`;
  return html`${kindsSection(kinds)}${jobsSection(visit, jobs)}${deliveriesSection(deliveries)}${ABOUT}`;
}

const ABOUT = html`<p class="small quiet">Jobs that failed for a reason of the server, for a day, and webhook deliveries that were given up, for two weeks. A retried job is free for its caller. <a href="/docs/operating/dead_letters">Dead letters</a></p>`;

const kindsSection = (kinds: Listed['kinds']): Html =>
  section(
    'By kind',
    ['Kind', 'Number', 'Newest, UTC', ''],
    kinds.map(({ kind, count, retryable, newest_at: at }) => [
      html`<code>${kind}</code>`,
      retryable === count ? `${count}` : `${count}, ${retryable} with input`,
      momentLabel(at),
      html`${retryable > 0 ? actLink('retry_all', kind, `of the kind ${kind}`) : ''}${actLink('dismiss_all', kind, `of the kind ${kind}`)}`,
    ]),
  );

const jobsSection = ({ studio: { tools } }: Visit, jobs: Listed['jobs']): Html =>
  section(
    'Jobs',
    ['Job, wallet', 'Failed, UTC', 'Error', ''],
    jobs.map(({ id, tool, code, detail, wallet, attempts, failed_at: at, can_retry: canRetry }) => [
      html`${tools.find(({ name }) => name === tool)?.title ?? tool} ${about(id, wallet)}`,
      html`${momentLabel(at)} <span class="small quiet">${attempts === 1 ? '1 run' : `${attempts} runs`}</span>`,
      html`<span class="clamp small"><code>${code}</code> ${detail}</span>`,
      html`${canRetry ? actLink('retry', id, id) : html`<span class="small quiet">Input not kept</span>`}${actLink('dismiss', id, id)}`,
    ]),
  );

const deliveriesSection = (deliveries: Listed['deliveries']): Html =>
  section(
    'Webhook deliveries',
    ['Event, wallet', 'Given up, UTC', 'Receiver', ''],
    deliveries.map(({ id, type, host, status, error, wallet, attempts, failed_at: at, ...endpoint }) => [
      html`${type} ${about(id, wallet)}`,
      html`${momentLabel(at)} <span class="small quiet">${attempts === 1 ? '1 attempt' : `${attempts} attempts`}</span>`,
      html`<span class="clamp small">${host}${endpoint.endpoint_state === 'disabled' ? ' (disabled)' : ''}: ${status === null ? (error ?? 'not attempted') : `status ${status}`}</span>`,
      html`${actLink('retry', id, id)}${actLink('dismiss', id, id)}`,
    ]),
  );

const about = (id: string, wallet: string | null): Html =>
  html`<span class="small quiet"><code>${id.slice(0, 12)}…</code> ${
    wallet === null
      ? 'no wallet'
      : html`<a href="/operate/wallets?wallet=${wallet}"><code>${wallet.slice(0, 6)}…${wallet.slice(-4)}</code></a>`
  }</span>`;

const section = (title: string, names: string[], rows: (Html | string)[][]): Html =>
  rows.length === 0
    ? html``
    : html`<section><div class="head"><h2>${title}</h2></div>${ledger(names, rows)}</section>`;
