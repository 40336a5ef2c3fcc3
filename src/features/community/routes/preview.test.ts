import { expect, test } from 'vitest';
import { previewReason } from './preview.ts';

const request = (headers: Record<string, string> = {}, method = 'GET') => ({
  method,
  header: (name: string) => headers[name.toLowerCase()],
});

test.each<Record<string, string>>([
  { purpose: 'prefetch' },
  { 'sec-purpose': 'prefetch;prerender' },
  { 'x-purpose': 'preview' },
  { 'x-moz': 'prefetch' },
  { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' },
  { 'user-agent': 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)' },
  { 'user-agent': 'facebookexternalhit/1.1' },
  { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
])('a request with %o is a preview and does not post', (headers) => {
  expect(previewReason(request(headers))).toMatch(/post/);
});

test.each<Record<string, string>>([
  {},
  { 'user-agent': 'curl/8.5.0' },
  { 'user-agent': 'Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)' },
  { 'user-agent': 'Claude-User' },
  { 'user-agent': 'python-requests/2.32' },
  { purpose: 'agent' },
])('a request with %o posts', (headers) => {
  expect(previewReason(request(headers))).toBeUndefined();
});

test('HEAD never posts and POST always does', () => {
  expect(previewReason(request({}, 'HEAD'))).toBeDefined();
  expect(previewReason(request({ purpose: 'prefetch' }, 'POST'))).toBeUndefined();
});
