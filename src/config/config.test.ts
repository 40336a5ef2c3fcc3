import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { SETTINGS } from './settings.ts';

test('all invalid settings are reported together', () => {
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

test('every setting is reported when all are invalid', () => {
  const wrong = (names: string[]) => Object.fromEntries(names.map((name) => [name, '§']));
  const said = (names: string[]): string => {
    try {
      readConfig(wrong(names));
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const names = Object.keys(SETTINGS);
  const refused = names.filter((name) => said([name]) !== '');
  expect(refused.length).toBeGreaterThan(60);
  expect(
    said(names)
      .match(/^ {2}\w+(?=: )/gm)
      ?.map((name) => name.trim()),
  ).toEqual(refused);
});

test.each([
  ['PORT', '99999', 'PORT: must be at most 65535, not "99999". Port to listen on'],
  ['PORT', 'many', 'PORT: must be a number, not "many"'],
  ['WORKERS', '1.5', 'WORKERS: must be a whole number, not "1.5"'],
  ['STORAGE_LINKS', 'maybe', 'STORAGE_LINKS: must be server or store, not "maybe"'],
  ['SIGNING_SECRET', 'short', 'SIGNING_SECRET: must have at least 32 characters. Secret that signs links'],
  ['PUBLIC_URL', 'nowhere', 'PUBLIC_URL: must be an http or https URL, not "nowhere"'],
])('%s=%s is reported in plain language, with its value unless it is a secret', (name, text, said) => {
  expect(() => readConfig({ [name]: text })).toThrow(said);
});

test('lists are split at commas', () => {
  const config = readConfig({
    TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    ALLOWED_ORIGINS: 'https://a.example,http://b.example:81',
  });
  expect(config.TRUSTED_PROXIES).toEqual(['10.0.0.0/8', '::1']);
  expect(config.ALLOWED_ORIGINS).toEqual(['https://a.example', 'http://b.example:81']);
});

test('empty values count as unset', () => {
  expect(readConfig({ DATABASE_URL: '', TRUSTED_PROXIES: '' })).toMatchObject({ TRUSTED_PROXIES: [] });
});
