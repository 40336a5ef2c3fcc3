import { expect, test } from 'vitest';
import { ANY_NETWORK, PUBLIC_INTERNET } from '../../core/outbound_http/reach.ts';
import { endpointUrl } from './service.ts';

test.each([
  '',
  'nonsense',
  'http://example.org/',
  'ftp://example.org/',
  'https://user:secret@example.org/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://169.254.169.254/latest',
  'https://localhost/',
  'https://box.internal/',
  'https://example.org:22/',
  `https://example.org/${'x'.repeat(2048)}`,
])('%s is not a valid endpoint URL', (url) => {
  expect(() => endpointUrl(PUBLIC_INTERNET, url)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
});

test('an endpoint URL is stored in normal form', () => {
  expect(endpointUrl(PUBLIC_INTERNET, 'HTTPS://Example.org:443/hook#part')).toBe('https://example.org/hook');
});

test('plain http is allowed where private addresses are allowed', () => {
  expect(endpointUrl(ANY_NETWORK, 'http://127.0.0.1:8081/hook')).toBe('http://127.0.0.1:8081/hook');
});
