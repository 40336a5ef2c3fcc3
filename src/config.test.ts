import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

test('all bad settings are named at once', () => {
  const read = () =>
    readConfig({
      PORT: '99999',
      PUBLIC_URL: 'ftp://here',
      DATABASE_URL: 'mysql://here',
      TRUSTED_PROXIES: '10.0.0.0/8, banana',
      ALLOWED_ORIGINS: 'example.org',
    });
  expect(read).toThrow(/PORT.*PUBLIC_URL.*DATABASE_URL.*TRUSTED_PROXIES.*ALLOWED_ORIGINS/s);
});

test('lists are split at commas', () => {
  const config = readConfig({
    TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    ALLOWED_ORIGINS: 'https://a.example,http://b.example:81',
  });
  expect(config.TRUSTED_PROXIES).toEqual(['10.0.0.0/8', '::1']);
  expect(config.ALLOWED_ORIGINS).toEqual(['https://a.example', 'http://b.example:81']);
});

test('empty values count as absent', () => {
  expect(readConfig({ DATABASE_URL: '', TRUSTED_PROXIES: '' })).toMatchObject({ TRUSTED_PROXIES: [] });
});
