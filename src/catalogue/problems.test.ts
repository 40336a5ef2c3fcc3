import { expect, test } from 'vitest';
import { problemHtml, problemText } from './problems.ts';

test('a page says what happened, what to do and whether to try again', () => {
  expect(problemText('busy')).toContain('Status: 503');
  expect(problemText('busy')).toContain('may succeed later');
  expect(problemText('invalid_json')).toContain('Send one JSON object as the request body.');
});

test('quotes and angle brackets of the advice stay text in HTML', () => {
  expect(problemHtml('wallet_not_registered')).toContain('{&quot;wallet&quot;: &quot;0x…&quot;}');
});
