import { html } from 'hono/html';
import { type ErrorCode, isRetryable } from '../errors/atelier_error.ts';
import { ERRORS } from '../errors/codes.ts';
import { htmlPage, type PageAnswer } from './html_page.ts';

/** Meaning and remedy of an error code, as a web page. */
export function problemHtml(code: ErrorCode): Promise<PageAnswer> {
  const { status, title, fix } = ERRORS[code];
  return htmlPage({
    title,
    body: html`<p>Code <code>${code}</code>, status ${status}.</p>
<p>${fix}</p>
<p>${retrySentence(code)}</p>`,
  });
}

/** The same as plain text. */
export function problemText(code: ErrorCode): string {
  const { status, title, fix } = ERRORS[code];
  return `${title}\n\nCode: ${code}\nStatus: ${status}\n\n${fix}\n\n${retrySentence(code)}\n`;
}

/** The charge is stated once: most fixes already do. */
function retrySentence(code: ErrorCode): string {
  if (code === 'payment_unknown' || code === 'payment_unconfirmed')
    return 'A retry of the same call may succeed. You are never charged twice.';
  const charge = ERRORS[code].fix.includes('charged') ? '' : ' You were not charged.';
  return isRetryable(code)
    ? `A retry of the same call may succeed.${charge}`
    : `The same call fails again until it is corrected.${charge}`;
}
