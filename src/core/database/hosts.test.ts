import { expect, test } from 'vitest';
import { readHosts } from './hosts.ts';

test.each([
  ['postgres://one/atelier', ['postgres://one/atelier']],
  [
    'postgres://me:p%40ss@one:5432,two:5433/atelier?sslmode=require',
    [
      'postgres://me:p%40ss@one:5432/atelier?sslmode=require',
      'postgres://me:p%40ss@two:5433/atelier?sslmode=require',
    ],
  ],
  ['postgresql://[::1]:5432,[::2]/a', ['postgresql://[::1]:5432/a', 'postgresql://[::2]/a']],
  ['postgres:///a?host=/run', ['postgres:///a?host=/run']],
])('parses the servers in %s', (text, hosts) => {
  expect(readHosts(text)).toEqual(hosts);
});
