import { html } from 'hono/html';
import { WELCOME_CREDITS } from '../../config/limits.ts';
import type { AtelierError } from '../../core/errors/atelier_error.ts';
import { ERRORS } from '../../core/errors/codes.ts';
import type { Html } from '../../core/html/html_page.ts';
import { secondsText } from './tools/words.ts';

/**
 * What a person can do about a refusal; the table of errors speaks to programs.
 * @param address the page that was asked for, with its query
 */
export function whatToDo({ status, code, details, message }: AtelierError, address: string): Html {
  const again = html`<a href="${address}">Try again</a>`;
  const { retryAfterSeconds: seconds } = details;
  if (status === 401)
    return html`<a href="${address.startsWith('/operate') ? '/operate' : '/wallet'}">Sign in</a>, and come back here.`;
  if (status === 402)
    return html`<a href="/wallet">Your wallet</a> sells credits, and a new one has ${WELCOME_CREDITS}. <a href="/tools">Free tools</a> need none.`;
  if (status === 413)
    return html`<a href="/tools/resize_image">Make the picture smaller</a>, which is free, or send fewer at once.`;
  if (status === 429 || status === 503)
    return html`${again}${seconds === undefined ? '' : ` in ${secondsText(seconds)}`}. What you had filled in is still there when you go back.`;
  if (status >= 500) return html`It is no fault of yours, and nothing was charged. ${again}.`;
  const { fix } = ERRORS[code];
  return html`${message.includes(fix) ? '' : `${fix} `}Go back, and change what is named above.`;
}
