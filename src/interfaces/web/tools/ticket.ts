import { html } from 'hono/html';
import { WELCOME_CREDITS } from '../../../config/limits.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { creditsLabel } from '../frame.ts';
import type { Visitor } from '../types.ts';
import { dropHtml, fieldHtml, namesTick } from './drop_html.ts';
import type { EarlierResult } from './earlier_results.ts';
import type { Expected } from './expect_run.ts';
import { batchField, newPress, picturesIn } from './post_run.ts';
import type { Runnable } from './runnable.ts';
import { queryOf, type Settings } from './settings.ts';
import type { Field } from './tool_fields.ts';
import { pressText, priceText, type Refusal, secondsText } from './words.ts';

/** What the form of a tool is drawn from. */
export interface Ticket extends Pick<Runnable, 'title' | 'fields' | 'path'> {
  readonly settings: Settings;
  readonly expected: Expected;
  readonly refusal: Refusal | undefined;
  readonly visitor: Visitor;
  readonly earlier: readonly EarlierResult[];
  /** Runs whose results the next one may be laid beside. */
  readonly runs: readonly string[];
}

/** The form of a tool: what goes in, how, what it will cost and take, and one button that says so. */
export function ticketHtml(ticket: Ticket): Html {
  const { path, fields, runs } = ticket;
  const shown = fields.filter(({ kind }) => kind !== 'wallet');
  const usual = shown.filter(({ isUsual }) => isUsual);
  const rest = shown.filter(({ isUsual }) => !isUsual);
  const isOpen = rest.some(({ name }) => ticket.refusal?.fields[name]);
  return html`<form class="ticket" id="ticket" method="post" action="${path}" enctype="multipart/form-data">
${wallet(ticket)}${usual.map((field) => controlFor(field, ticket))}
${rest.length > 0 ? html`<details class="more"${isOpen ? html` open` : ''}><summary>More settings</summary><div class="stack">${rest.map((field) => controlFor(field, ticket))}</div></details>` : ''}
${runs.length > 0 ? html`<label class="tick"><input type="checkbox" name="beside" value="${runs.join(',')}">Lay it beside the result shown</label>` : ''}
<input type="hidden" name="press" value="${newPress()}">
<div id="quote" class="stack">${quote(ticket)}</div>
${shown.length > 0 ? namesTick() : ''}</form>`;
}

function controlFor(field: Field, { path, fields, settings, refusal, earlier }: Ticket): Html {
  const text = settings[field.name];
  const problem = refusal?.fields[field.name];
  if (field.kind !== 'picture' && field.kind !== 'file') return fieldHtml(field, text, problem);
  const linkTo = (other: string) => `${path}${queryOf(fields, { ...settings, [field.name]: other })}`;
  return dropHtml({
    field,
    text: text ?? '',
    problem,
    linkTo,
    isBatch: field === batchField(fields),
    earlier,
  });
}

/** The visitor's own, where they have one. */
function wallet({ fields, settings, visitor, refusal }: Ticket): Html {
  const field = fields.find(({ kind }) => kind === 'wallet');
  if (!field) return html``;
  if (visitor.wallet === undefined) return fieldHtml(field, settings.wallet, refusal?.fields.wallet);
  return html`<p class="small quiet">For your wallet <code>${visitor.wallet}</code></p>`;
}

/** Price, queue and time, what stands against it, and the button. Drawn anew as the form changes. */
function quote({ title, fields, settings, expected, visitor }: Ticket): Html {
  const { credits, ahead, seconds, remarks } = expected;
  const batch = batchField(fields);
  const times = batch ? picturesIn(settings[batch.name]).length : 1;
  const lacking = missing((credits ?? 0) * times, title, visitor);
  return html`<dl class="quote"><dt>Price</dt><dd>${credits === undefined ? 'by its steps' : priceText(credits * times, visitor.credits)}</dd>
<dt>Queue</dt><dd>${ahead === 0 ? 'empty' : `${ahead} ahead of you`}</dd>
<dt>Ready in about</dt><dd>${seconds === undefined ? 'not known yet' : secondsText(seconds * times)}</dd></dl>
${remarks.map((remark) => html`<p class="small quiet">${remark}</p>`)}${lacking ?? ''}
<button class="main">${pressText(title, credits, times)}</button>`;
}

/** What to do where the credits do not reach. */
function missing(
  credits: number,
  title: string,
  { wallet: address, credits: balance }: Visitor,
): Html | undefined {
  if (credits === 0) return undefined;
  if (address === undefined || balance === undefined)
    return html`<p class="small">This needs ${creditsLabel(credits)}. <a href="/wallet">Open a wallet</a>; a new one has ${WELCOME_CREDITS}.</p>`;
  if (balance >= credits) return undefined;
  return html`<p class="small">${title} needs ${creditsLabel(credits)} and you have ${balance}. <a href="/wallet">Buy a pack</a>.</p>`;
}
