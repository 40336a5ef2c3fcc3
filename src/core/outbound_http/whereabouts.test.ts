import { expect, test } from 'vitest';
import { isOnThisMachine, isPrivate } from './whereabouts.ts';

const LOCAL = { onThisMachine: true, private: true };
const HOUSE = { onThisMachine: false, private: true };
const PUBLIC = { onThisMachine: false, private: false };

test.each([
  ['127.0.0.1', undefined, LOCAL],
  ['::1', undefined, LOCAL],
  ['localhost', 'http://localhost:8080', LOCAL],
  ['127.0.0.1', 'http://[::1]:8080', LOCAL],
  ['127.0.0.1', 'https://atelier.example', PUBLIC],
  ['0.0.0.0', 'https://atelier.example', PUBLIC],
  ['0.0.0.0', undefined, HOUSE],
  ['0.0.0.0', 'http://127.0.0.1:8080', HOUSE],
  ['192.168.1.5', undefined, HOUSE],
  ['127.0.0.1', 'http://studio.local', HOUSE],
  ['::', 'http://[fd00::5]', HOUSE],
  ['203.0.113.5', undefined, HOUSE],
  ['9.9.9.9', undefined, PUBLIC],
  ['127.0.0.1.example.org', undefined, PUBLIC],
])('HOST %s with PUBLIC_URL %s has the network location %j', (HOST, PUBLIC_URL, where) => {
  const settings = { HOST, PUBLIC_URL };
  expect({ onThisMachine: isOnThisMachine(settings), private: isPrivate(settings) }).toEqual(where);
});
