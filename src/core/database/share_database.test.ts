import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WAIT_MS_MAX } from '../../../tests/support/wait_ms_max.ts';
import { joinDatabase } from './join_database.ts';
import { openDatabase } from './open_database.ts';
import { shareDatabase, socketPath, writeFrame } from './share_database.ts';
import type { ScriptableDatabase } from './types.ts';

let dataDir: string;
let host: ScriptableDatabase;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'atelier-share-'));
  host = await openDatabase({ dataDir });
  await host.query('create table pots (size integer primary key)');
});
afterAll(async () => {
  await host.close();
  rmSync(dataDir, { recursive: true });
});
const joined = () => openDatabase({ dataDir, mayJoin: true });
const sizes = async () =>
  (await host.query<{ size: number }>('select size from pots order by 1')).map(({ size }) => size);

/** A client of the socket that does not follow the protocol. */
async function stranger(): Promise<Socket> {
  const socket = connect(socketPath(dataDir));
  socket.on('error', () => {}).resume();
  await once(socket, 'connect');
  return socket;
}
const greeting = { version: 1 };
const isShownOut = async (socket: Socket) => {
  if (!socket.closed) await once(socket, 'close');
  expect(await host.query('select 1 as one')).toEqual([{ one: 1 }]);
};

test('another process can use an open database and reads identical values', async () => {
  const guest = await joined();
  const text =
    'select $1::timestamptz as at, $2::bytea as bytes, 9007199254740991 as large, $3::jsonb as value';
  const values = [new Date(0), new Uint8Array([1, 0]), JSON.stringify({ at: null })];
  expect(await guest.query(text, values)).toEqual(await host.query(text, values));
  await expect(guest.query('select * from nothing')).rejects.toMatchObject({ code: '42P01' });
  await guest.close();
});

test('the socket is accessible only to its owner and is removed with the database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-share-'));
  writeFileSync(socketPath(folder), 'left behind');
  const shared = await shareDatabase({ ...host, close: async () => {} }, folder);
  expect(statSync(socketPath(folder)).mode & 0o777).toBe(0o600);
  await shared.close();
  expect(existsSync(socketPath(folder))).toBe(false);
  rmSync(folder, { recursive: true });
});

test('the database opens even if its path is too long for a socket', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'atelier-share-')), 'x'.repeat(120));
  mkdirSync(folder);
  const shared = await shareDatabase({ ...host, close: async () => {} }, folder);
  expect(await shared.query('select 1 as one')).toEqual([{ one: 1 }]);
  await shared.close();
  expect(await joinDatabase(folder)).toBeUndefined();
});

test('a transaction of a client blocks other queries and is atomic', async () => {
  const guest = await joined();
  const inside = Promise.withResolvers<void>();
  const writing = guest.transaction(async (tx) => {
    await tx.query('insert into pots values (1)');
    inside.resolve();
    await tx.query('insert into pots values (2)');
  });
  await inside.promise;
  expect(await sizes()).toEqual([1, 2]);
  await writing;
  await expect(guest.transaction((tx) => tx.query('insert into pots values (3), (1)'))).rejects.toMatchObject(
    {
      code: '23505',
    },
  );
  expect(await sizes()).toEqual([1, 2]);
  await guest.close();
});

test('a transaction is rolled back when its client disconnects', async () => {
  const socket = await stranger();
  void writeFrame(socket, greeting);
  void writeFrame(socket, { id: 1, text: 'begin', values: [] });
  void writeFrame(socket, { id: 2, text: 'insert into pots values (10)', values: [] });
  await once(socket, 'data');
  socket.end();
  await isShownOut(socket);
  expect(await sizes()).not.toContain(10);
});

test.each([
  ['sends nothing', []],
  ['stops sending in a transaction', [greeting, { id: 1, text: 'begin', values: [] }]],
])('a client that %s is disconnected', async (_, messages) => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-share-'));
  const shared = await shareDatabase({ ...host, close: async () => {} }, folder, { silenceMs: 30 });
  const socket = connect(socketPath(folder)).resume();
  for (const message of messages) void writeFrame(socket, message).catch(() => {});
  await isShownOut(socket);
  await shared.close();
  rmSync(folder, { recursive: true });
});

test.each([
  ['text', Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n')],
  ['a length of 4 GB', Buffer.alloc(4, 0xff)],
  ['invalid serialised data', Buffer.concat([Buffer.from([5, 0, 0, 0]), Buffer.from('hello')])],
  ['an empty frame', Buffer.alloc(4)],
])('a client that sends %s is disconnected', async (_, bytes) => {
  const socket = await stranger();
  socket.write(bytes);
  await isShownOut(socket);
});

test.each([[null], [{ version: 0 }], [{ id: 1, text: 'select 1', values: [] }]])(
  'a client whose first message is %j is disconnected',
  async (message) => {
    const socket = await stranger();
    void writeFrame(socket, message);
    await isShownOut(socket);
  },
);

test.each([[null], [{ id: 1, text: 7, values: [] }], [{ id: 1, text: 'select 1', values: 'x' }]])(
  'a client that sends the invalid statement %j is disconnected',
  async (message) => {
    const socket = await stranger();
    void writeFrame(socket, greeting);
    void writeFrame(socket, message);
    await isShownOut(socket);
  },
);

test('a message received in fragments is read completely', async () => {
  const socket = connect(socketPath(dataDir));
  const value = serialize(greeting);
  const bytes = Buffer.concat([Buffer.from(Uint32Array.of(value.length).buffer), value]);
  for (const byte of bytes) socket.write(Buffer.of(byte));
  await once(socket, 'data');
  socket.destroy();
});

test('while a client freezes the database, reads succeed and writes fail until it disconnects', async () => {
  const guest = (await joinDatabase(dataDir))!;
  await guest.freeze();
  const write = () => host.query('insert into pots values (77)');
  await expect(write()).rejects.toMatchObject({
    code: 'database_unavailable',
    details: { retryAfterSeconds: 60 },
  });
  await expect(host.transaction((tx) => tx.query('insert into pots values (77)'))).rejects.toMatchObject({
    code: 'database_unavailable',
  });
  expect(await host.query('select 1 as one')).toEqual([{ one: 1 }]);
  await guest.close();
  await vi.waitFor(write, WAIT_MS_MAX);
  await host.query('delete from pots where size = 77');
});

test('a refused process receives the reason', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-share-'));
  const owner = await openDatabase({ dataDir: folder });
  rmSync(socketPath(folder));
  await expect(openDatabase({ dataDir: folder, mayJoin: true })).rejects.toThrow(
    `Process ${process.pid} has`,
  );
  const other = createServer((socket) => socket.end()).listen(socketPath(folder));
  await once(other, 'listening');
  await expect(openDatabase({ dataDir: folder, mayJoin: true })).rejects.toThrow('refused the connection');
  other.close();
  await owner.close();
  rmSync(folder, { recursive: true });
});

test('clients are notified when the database closes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-share-'));
  const shared = await shareDatabase({ ...host, close: async () => {} }, folder);
  const guest = (await joinDatabase(folder))!;
  await shared.close();
  await expect(guest.query('select 1')).rejects.toThrow('Run the same command again');
  await guest.close();
  rmSync(folder, { recursive: true });
});
