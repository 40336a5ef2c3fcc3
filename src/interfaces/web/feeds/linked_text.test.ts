import { expect, test } from 'vitest';
import { linkedText } from './linked_text.ts';

const shown = (text: string) => String(linkedText(text));

test('a URL becomes a nofollow ugc link without trailing punctuation', () => {
  expect(shown('see https://example.org/a?b=1&c=2).')).toBe(
    '<p>see <a href="https://example.org/a?b=1&amp;c=2" rel="nofollow ugc noopener">https://example.org/a?b=1&amp;c=2</a>).</p>',
  );
});

test.each([
  '<img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  'http://example.org',
  'data:text/html,x',
  'https://"onmouseover=alert(1)',
  'https://[',
])('%s is rendered as text', (text) => {
  expect(shown(text)).not.toMatch(/<(?!\/?p>)/);
});

test('long text without URLs, or with only URL prefixes, renders in under 1 s', () => {
  const started = performance.now();
  shown('https://'.repeat(20_000));
  shown(`https://${'.'.repeat(100_000)}`);
  expect(performance.now() - started).toBeLessThan(1000);
});
