import { html } from 'hono/html';
import { WELCOME_CREDITS } from '../../../config/limits.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { highestPrice, isFree } from '../../../features/definitions/price.ts';
import { creditsLabel } from '../frame.ts';
import type { Visitor } from '../types.ts';
import { walletFrom } from '../wallet/back.ts';
import { toolAttributes } from '../web_mcp.ts';
import { dropHtml, fieldHtml, namesTick } from './drop_html.ts';
import type { EarlierResult } from './earlier_results.ts';
import { editorHtml, isSetOnImage } from './editors.ts';
import type { Expected } from './expect_run.ts';
import { partsHtml } from './parts_html.ts';
import { batchField, newPress, picturesIn } from './post_run.ts';
import type { Runnable } from './runnable.ts';
import { queryOf, type Settings } from './settings.ts';
import type { Field } from './tool_fields.ts';
import { pressText, priceText, type Refusal, secondsText } from './words.ts';

/** State that the form of a tool is rendered from. */
export interface Ticket extends Pick<Runnable, 'tool' | 'title' | 'fields' | 'path'> {
  readonly settings: Settings;
  readonly expected: Expected;
  readonly refusal: Refusal | undefined;
  readonly visitor: Visitor;
  readonly earlier: readonly EarlierResult[];
  /** Runs whose results the next result can be compared with. */
  readonly runs: readonly string[];
  readonly hasResult: boolean;
  /** URL that restores the page with its entered values. */
  readonly back: string;
}

/** The form of a tool: inputs, settings, price, estimated time and the run button. */
export function ticketHtml(ticket: Ticket): Html {
  const { tool, path, fields, runs } = ticket;
  // The form of a recipe has the inputs of the recipe, and not the fields of run_recipe.
  const offered = path === `/tools/${tool.name}` ? toolAttributes(tool) : '';
  const shown = fields.filter(({ kind }) => kind !== 'wallet');
  const isFirst = (field: Field) => field.isUsual || isSetOnImage(ticket.tool.name, field);
  const usual = shown.filter(isFirst);
  const rest = shown.filter((field) => !isFirst(field));
  const isOpen = rest.some(({ name }) => ticket.refusal?.fields[name]);
  return html`<form class="ticket" id="ticket" method="post" action="${path}" enctype="multipart/form-data"${offered}${runsAtOnce(ticket) ? html` data-at-once` : ''}>
${wallet(ticket)}${usual.map((field) => controlFor(field, ticket))}
${rest.length > 0 ? html`<details class="more"${isOpen ? html` open` : ''}><summary>More settings</summary><div class="stack">${rest.map((field) => controlFor(field, ticket))}</div></details>` : ''}
${runs.length > 0 ? html`<label class="tick"><input type="checkbox" name="beside" value="${runs.join(',')}">Compare with the result shown</label>` : ''}
<input type="hidden" name="press" value="${newPress()}">
<div id="quote" class="stack">${quote(ticket)}</div>
${shown.length > 0 ? namesTick() : ''}</form>`;
}

/** Free tools without side effects that need only an image run as soon as it is chosen. */
function runsAtOnce({ tool, fields, hasResult }: Ticket): boolean {
  const image = batchField(fields)?.name;
  if (hasResult || image === undefined || !isFree(tool.price) || !tool.effects.readOnly) return false;
  return tool.input.safeParse({ [image]: 'upload:any' }).success;
}

function controlFor(field: Field, { tool, path, fields, settings, refusal, earlier }: Ticket): Html {
  const text = settings[field.name];
  const problem = refusal?.fields[field.name];
  if (field.kind === 'object')
    return partsHtml(field, text, { ...(refusal && { problems: refusal.fields }), takesFiles: true });
  if (field.kind !== 'picture' && field.kind !== 'file')
    return fieldHtml(field, text, problem, (control) => editorHtml(tool.name, field, control));
  const linkTo = (other: string) => `${path}${queryOf(fields, { ...settings, [field.name]: other })}`;
  const drop = dropHtml({
    field,
    text: text ?? '',
    problem,
    linkTo,
    isBatch: field === batchField(fields),
    earlier,
  });
  return editorHtml(tool.name, field, drop);
}

/** The visitor's wallet, or a field to enter one. */
function wallet({ fields, settings, visitor, refusal }: Ticket): Html {
  const field = fields.find(({ kind }) => kind === 'wallet');
  if (!field) return html``;
  if (visitor.wallet === undefined) return fieldHtml(field, settings.wallet, refusal?.fields.wallet);
  return html`<p class="small quiet">Wallet: <code>${visitor.wallet}</code></p>`;
}

/** Price, queue, time, warnings and the button. Updated when the form changes. */
function quote({ tool, title, fields, settings, expected, visitor, back }: Ticket): Html {
  const { credits, ahead, seconds, remarks } = expected;
  const batch = batchField(fields);
  const times = batch ? picturesIn(settings[batch.name]).length : 1;
  const isSold = highestPrice(tool.price) > 0;
  const lacking =
    isSold && credits === 0 && visitor.wallet === undefined
      ? html`<p class="small">You will not be charged for this run, but you need an account.</p>${accountButton()}`
      : missing((credits ?? 0) * times, title, { ...visitor, back });
  return html`<dl class="quote"><dt>Price</dt><dd>${credits === undefined ? 'depends on its steps' : priceText(credits * times, visitor.credits)}</dd>
<dt>Queue</dt><dd>${ahead === 0 ? 'empty' : `${ahead} ahead of you`}</dd>
<dt>Estimated time</dt><dd>${seconds === undefined ? 'unknown' : secondsText(seconds * times)}</dd></dl>
${remarks.map((remark) => html`<p class="small quiet">${remark}</p>`)}${lacking ?? ''}
<button class="main">${pressText(title, credits, times)}</button>`;
}

/** Next step if the balance is insufficient. */
export function missing(
  credits: number,
  title: string,
  { wallet: address, credits: balance, back }: Visitor & { readonly back: string },
): Html | undefined {
  if (credits === 0) return undefined;
  if (address === undefined)
    return html`<p class="small">This costs ${creditsLabel(credits)}. A new account has ${WELCOME_CREDITS} credits and needs no email address or card.</p>${accountButton()}`;
  if (balance !== undefined && balance >= credits) return undefined;
  return html`<p class="small">${title}: ${creditsLabel(credits)}. Your balance is ${balance ?? 0}. <a href="${walletFrom(back)}#credits">Buy credits</a>; your settings are kept.</p>`;
}

/** Submits `accountForm`, which is outside the form of the tool. */
export const accountButton = (): Html =>
  html`<button form="open-account" class="account" data-opens-account>Open an account (free)</button><p class="small account-status" role="status" aria-live="polite"></p>`;

/** Opens an account and returns: with a key of this browser, or without JavaScript with a key stored by the server. */
export const accountForm = (back: string): Html =>
  html`<form id="open-account" method="post" action="/wallet" data-account hidden><input type="hidden" name="act" value="guest"><input type="hidden" name="back" value="${back}"></form>`;
