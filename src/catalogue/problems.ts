import { ERRORS, type ErrorCode, isRetryable } from '../errors/atelier_error.ts';
import { escapeHtml } from './escape_html.ts';

/** The page of one error code, as plain text. */
export function problemText(code: ErrorCode): string {
  const { status, title, fix } = ERRORS[code];
  return `${title}\n\nCode: ${code}\nStatus: ${status}\n\n${fix}\n\n${retrySentence(code)}\n`;
}

/** The page of one error code, for a browser. */
export function problemHtml(code: ErrorCode): string {
  const { status, title, fix } = ERRORS[code];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<h1>${escapeHtml(title)}</h1>
<p>Code <code>${code}</code>, status ${status}.</p>
<p>${escapeHtml(fix)}</p>
<p>${retrySentence(code)}</p>
</html>
`;
}

function retrySentence(code: ErrorCode): string {
  if (code === 'payment_unknown' || code === 'payment_unconfirmed')
    return 'The same call may succeed later. Nothing is charged twice.';
  return isRetryable(code)
    ? 'The same call may succeed later. Nothing was charged.'
    : 'The same call will fail again until it is corrected. Nothing was charged.';
}
