import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { hostileTars } from '../../../../tests/support/hostile_tars.ts';
import { spool } from '../../../../tests/support/spooled.ts';
import type { Database, Queryable } from '../../../core/database/types.ts';
import { createSigner } from '../../../core/keys/signer.ts';
import { createSpool } from '../../../core/storage/blobs/spool.ts';
import { createAssets } from '../../assets/assets.ts';
import { createWallets } from '../../wallets/wallets.ts';
import type { AccountExportOptions } from './check_archive.ts';
import { createAccountExport, writeTar } from './export.ts';
import { readBytes, readTar } from './read_tar.ts';

/** Moves a wallet from one server to another. */

const WALLET = `0x${'a'.repeat(40)}`;
const MB = 1024 * 1024;
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const newSigner = () => createSigner(generateKeyPairSync('ed25519').privateKey);
const never = new AbortController().signal;
const read = async (chunks: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(chunks));
const pieces = async function* (bytes: Buffer, size = 64 * 1024) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
};

const tarOf = ([manifest, signature]: readonly [Buffer, Buffer]) =>
  read(
    writeTar(
      (async function* () {
        yield { name: 'manifest.json', size: manifest.length, bytes: [manifest] };
        yield { name: 'signature.jws', size: signature.length, bytes: [signature] };
      })(),
      new Date(),
    ),
  );

/** A server with its storage. */
function server(database: Database, more: Partial<AccountExportOptions> = {}) {
  const stored = new Map<string, Uint8Array>();
  const blobs = {
    put: async (bytes: Uint8Array) => {
      stored.set(sha256Of(bytes), bytes);
      return sha256Of(bytes);
    },
    get: async (name: string) => stored.get(name)!,
    open: async (name: string) => new Blob([stored.get(name) as Uint8Array<ArrayBuffer>]),
    sweep: async () => 0,
  };
  const links = { publicUrl: '', sign: () => '', verify: () => false };
  const assets = createAssets({
    database,
    blobs,
    links,
    lockedAt: async () => undefined,
    isKeyInForce: async () => false,
  });
  const signer = newSigner();
  const leaving = createAccountExport({
    database,
    blobs,
    spool,
    signer,
    bytesMax: 1e12,
    trustedKids: [],
    publicUrl: 'https://old.example',
    receipts: { keys: async () => [] },
    reserve: async () => {},
    keysOf: async () => [],
    endJob: async () => false,
    workspaces: {
      archive: async () => [],
      requireRoom: async () => {},
      factsOf: () => ({ bytes: 1, mediaType: 'image/png', width: null, height: null }),
      restore: async () => ({ restored: 0, present: 0 }),
      forget: async () => 0,
    },
    ...more,
  });
  const save = (key: string, text: string | Buffer, metadata?: Record<string, unknown>) =>
    assets.save({
      wallet: WALLET,
      key,
      bytes: Buffer.from(text),
      contentType: 'text/plain',
      ...(metadata && { metadata }),
    });
  const exported = async () => read((await leaving.exportWallet(WALLET)).chunks());
  const taken = (archive: Buffer, { wallet = WALLET, replaces = false } = {}) =>
    leaving.importWallet(wallet, pieces(archive), { replaces, address: '203.0.113.1', signal: never });
  const texts = async () => {
    const { assets: all } = await assets.list(WALLET, { prefix: '', limit: 100 });
    const own = all.filter(({ key }) => !key.startsWith('imported/'));
    return Promise.all(
      own.map(async ({ key }) => [key, Buffer.from((await assets.open(WALLET, key)).bytes).toString()]),
    );
  };
  return { stored, assets, signer, leaving, save, exported, taken, texts };
}

forEachDatabase((_name, open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
  });

  /** Another, empty server, whose operator trusts the key of the first. */
  async function movedTo(kid: string, more: Partial<AccountExportOptions> = {}) {
    await database.query('delete from assets');
    await database.query('delete from earlier_assets');
    return server(database, { trustedKids: [kid], publicUrl: 'https://new.example', ...more });
  }

  test('importing an export transfers assets, versions, metadata and dates, and is idempotent', async () => {
    const old = server(database);
    const metadata = { z: 1, a: '\u0000 \ud800 猫' };
    for (const text of ['one', 'two', 'three']) await old.save('a/note.txt', text, metadata);
    await old.save('empty of versions', 'x');
    const before = await old.assets.find(WALLET, 'a/note.txt');
    const archive = await old.exported();
    const here = await movedTo(old.signer.publicKey.kid);
    expect(await here.taken(archive)).toMatchObject({
      server: 'https://old.example',
      trustedBy: 'operator',
      counts: { assets: 2, unchanged: 0, skipped: 0, versions: 2 },
    });
    expect(await here.texts()).toEqual([
      ['a/note.txt', 'three'],
      ['empty of versions', 'x'],
    ]);
    expect(JSON.stringify(await here.assets.find(WALLET, 'a/note.txt'))).toBe(JSON.stringify(before));
    const earlier = await here.assets.versions(WALLET, 'a/note.txt');
    expect(
      await Promise.all(
        earlier.map(async ({ id }) => (await here.assets.openEarlier(WALLET, id)).blob.text()),
      ),
    ).toEqual(['two', 'one']);
    expect((await here.taken(archive)).counts).toMatchObject({ assets: 0, unchanged: 2, versions: 0 });
    expect((await here.assets.use(WALLET)).usedBytes).toBe(6);
  });

  test('existing assets are kept, or become versions when replacement is requested', async () => {
    const old = server(database);
    await old.save('note', 'theirs');
    const archive = await old.exported();
    const here = await movedTo(old.signer.publicKey.kid);
    await here.save('note', 'ours');
    expect(await here.taken(archive)).toMatchObject({ counts: { skipped: 1 }, skippedKeys: ['note'] });
    expect(await here.texts()).toEqual([['note', 'ours']]);
    expect((await here.taken(archive, { replaces: true })).counts).toMatchObject({ assets: 1, skipped: 0 });
    expect(await here.texts()).toEqual([['note', 'theirs']]);
    expect(await here.assets.versions(WALLET, 'note')).toHaveLength(1);
  });

  test('receipts are exported as paginated files, and credits are not exported', async () => {
    const old = server(database);
    await database.query(
      `insert into receipts (id, wallet, receipt, at) select 'rcpt_' || n, $1, 'jws' || n, now() - interval '1 day' from generate_series(1, 2500) n`,
      [WALLET],
    );
    const archive = await old.exported();
    const here = await movedTo(old.signer.publicKey.kid);
    expect((await here.taken(archive)).counts).toMatchObject({ assets: 2, records: 2 });
    const { assets: all } = await here.assets.list(WALLET, { prefix: 'imported/old.example/', limit: 9 });
    const lines = await Promise.all(
      all.map(async ({ key }) =>
        Buffer.from((await here.assets.open(WALLET, key)).bytes)
          .toString()
          .trim()
          .split('\n'),
      ),
    );
    expect(lines.map((some) => some.length)).toEqual([2000, 500]);
    expect(new Set(lines.flat()).size).toBe(2500);
    expect(await createWallets(database).find(WALLET)).toBe(undefined);
  });

  test('the signing key is trusted if this server, the signing server or the operator publishes it', async () => {
    const old = server(database);
    await old.save('note', 'one');
    const archive = await old.exported();
    const { kid, x } = old.signer.publicKey;
    const asked: string[] = [];
    const publishing = (key: object) => ({
      trustedKids: [],
      keysOf: async (url: string) => {
        asked.push(url);
        return [{ kid, x, ...key }];
      },
    });
    const own = { trustedKids: [], receipts: { keys: async () => [{ kid, x, firstUsed: new Date() }] } };
    expect((await (await movedTo(kid, own)).taken(archive)).trustedBy).toBe('this_server');
    expect((await (await movedTo(kid, publishing({}))).taken(archive)).trustedBy).toBe('its_server');
    expect(asked).toEqual(['https://old.example']);
    const away = { trustedKids: [], keysOf: () => Promise.reject(new Error('away')) };
    for (const [more, said] of [
      [publishing({ revoked: {} }), 'revoked'],
      [{ trustedKids: [] }, 'does not publish'],
      [away, 'IMPORT_KEYS'],
    ] as const)
      await expect((await movedTo(kid, more)).taken(archive)).rejects.toThrow(said);
  });

  test('altered archives, unknown versions and other wallets’ archives fail with distinct errors and store nothing', async () => {
    const old = server(database);
    await old.save('note', 'one');
    await old.save('other', 'two');
    const archive = await old.exported();
    const files = await Array.fromAsync(
      readTar(pieces(archive), () => MB),
      async ({ name, size, pieces }) => ({ name, bytes: await readBytes(pieces, size) }),
    );
    const here = await movedTo(old.signer.publicKey.kid);
    const changed = async (change: (all: typeof files) => typeof files) => {
      const entries = change(files).map(({ name, bytes }) => ({ name, size: bytes.length, bytes: [bytes] }));
      return read(
        writeTar(
          (async function* () {
            yield* entries;
          })(),
          new Date(),
        ),
      );
    };
    const manifest = JSON.parse(files[0]!.bytes.toString());
    const withManifest = (more: object, signer = old.signer) => {
      const text = Buffer.from(JSON.stringify({ ...manifest, ...more }));
      const jwk = { kty: 'OKP', crv: 'Ed25519', x: signer.publicKey.x };
      const claims = { iss: 'https://old.example', sub: WALLET, iat: 1, manifest_sha256: sha256Of(text) };
      const jws = Buffer.from(signer.sign('wallet-archive+jwt', claims, { jwk }));
      return changed(([, , ...rest]) => [
        { name: 'manifest.json', bytes: text },
        { name: 'signature.jws', bytes: jws },
        ...rest,
      ]);
    };
    const bad: [string, Buffer][] = [
      [
        'was altered',
        await changed(([head, ...rest]) => [
          {
            ...head!,
            bytes: Buffer.from(JSON.stringify({ ...manifest, exported_at: '2026-01-01T00:00:00Z' })),
          },
          ...rest,
        ]),
      ],
      [
        'was altered',
        await changed((all) =>
          all.map((file) => (file.name.startsWith('files/') ? { ...file, bytes: Buffer.from('onE') } : file)),
        ),
      ],
      ['2 files are missing', await changed((all) => all.slice(0, 2))],
      [
        'does not list',
        await changed((all) => [...all, { name: 'files/../../etc/passwd', bytes: Buffer.from('x') }]),
      ],
      ['does not list', await changed((all) => [...all, all[2]!])],
      [
        'first file must be manifest.json',
        await changed(([head, signature, ...rest]) => [signature!, head!, ...rest]),
      ],
      ['does not list', await changed((all) => all.toReversed())],
      ['version is 2', await withManifest({ version: 2 })],
      ['not a wallet manifest', await withManifest({ format: 'another' })],
      ['another wallet or server', await withManifest({ wallet: `0x${'b'.repeat(40)}` })],
      ['does not publish', await withManifest({}, newSigner())],
      ['assets', await withManifest({ assets: [{ ...manifest.assets[0], key: '' }] })],
      ['"note" twice', await withManifest({ assets: [manifest.assets[0], manifest.assets[0]] })],
      ['assets', await withManifest({ assets: [{ ...manifest.assets[0], metadata: '[1' }] })],
      [
        'assets',
        await withManifest({ assets: [{ ...manifest.assets[0], saved_at: '0000-01-01T00:00:00Z' }] }),
      ],
      [
        'bidirectional control character',
        await withManifest({ assets: [{ ...manifest.assets[0], key: 'a\u202eb' }] }),
      ],
    ];
    for (const [said, sent] of bad) await expect(here.taken(sent), said).rejects.toThrow(said);
    await expect(here.taken(archive, { wallet: `0x${'b'.repeat(40)}` })).rejects.toMatchObject({
      code: 'wallet_mismatch',
    });
    expect(await here.texts()).toEqual([]);
  });

  test('a manifest without a signature by a trusted key is rejected before it is parsed', async () => {
    const old = server(database);
    const here = await movedTo(old.signer.publicKey.kid);
    const text = Buffer.from(`{"format":"atelier-wallet","version":1,"x":[${'[],'.repeat(100_000)}[]]}`);
    const claims = { iss: 'https://old.example', sub: WALLET, iat: 1, manifest_sha256: sha256Of(text) };
    const signedBy = ({ publicKey: { x }, sign }: typeof old.signer, more = {}) =>
      Buffer.from(
        sign('wallet-archive+jwt', { ...claims, ...more }, { jwk: { kty: 'OKP', crv: 'Ed25519', x } }),
      );
    const parse = vi.spyOn(JSON, 'parse');
    for (const [said, signature] of [
      ['signature is invalid', Buffer.from('a.b.c')],
      ['does not publish', signedBy(newSigner())],
      ['this session to', signedBy(old.signer, { sub: `0x${'b'.repeat(40)}` })],
      ['was altered', signedBy(old.signer, { manifest_sha256: sha256Of(Buffer.from('other')) })],
    ] as const)
      await expect(here.taken(await tarOf([text, signature])), said).rejects.toThrow(said);
    expect(parse.mock.calls.filter(([one]) => one.length > 10_000)).toEqual([]);
    parse.mockRestore();
    await expect(here.taken(await tarOf([text, signedBy(old.signer)]))).rejects.toThrow('wallet');
  });

  test('a large manifest is parsed in a worker thread and rejected with the same errors', async () => {
    const old = server(database);
    for (let count = 0; count < 60; count += 1)
      await old.save(`k${count}`, `${count}`, { note: 'n'.repeat(500) });
    const archive = await old.exported();
    const here = await movedTo(old.signer.publicKey.kid);
    const parse = vi.spyOn(JSON, 'parse');
    expect((await here.taken(archive)).counts).toMatchObject({ assets: 60, unchanged: 0 });
    expect(parse.mock.calls.filter(([one]) => one.length > 20_000)).toEqual([]);
    parse.mockRestore();
    await expect(here.taken(archive.subarray(0, -10_000))).rejects.toThrow('is incomplete');
  });

  test('a manifest is spooled to disk, limited in size, and deleted afterwards', async () => {
    const old = server(database);
    await old.save('note', 'one');
    const archive = await old.exported();
    const folder = mkdtempSync(join(tmpdir(), 'atelier-manifests-'));
    const withRoom = (bytesMax: number) =>
      movedTo(old.signer.publicKey.kid, { spool: createSpool({ folder, bytesMax }) });
    await expect((await withRoom(100)).taken(archive)).rejects.toMatchObject({ code: 'busy' });
    expect((await (await withRoom(MB)).taken(archive)).counts).toMatchObject({ assets: 1 });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('truncated archives, wrong sizes and other files are rejected without buffering large data', async () => {
    const old = server(database);
    await old.save('note', Buffer.alloc(300_000, 1));
    const archive = await old.exported();
    const here = await movedTo(old.signer.publicKey.kid);
    for (let at = 0; at < archive.length - 1024; at += 37_111)
      await expect(here.taken(archive.subarray(0, at))).rejects.toMatchObject({ code: 'archive_invalid' });
    for (const [what, sent] of hostileTars()) {
      let took = 0;
      const counted = (async function* () {
        for await (const piece of sent()) {
          took += piece.length;
          yield piece;
        }
      })();
      const options = { replaces: false, address: '203.0.113.1', signal: never };
      const importing = here.leaving.importWallet(WALLET, counted, options);
      await expect(importing, what).rejects.toMatchObject({ code: 'archive_invalid' });
      expect([what, took < 2 * MB]).toEqual([what, true]);
    }
    expect(await here.texts()).toEqual([]);
  });

  test('after any byte is changed, the import fails with a clear error or stores the original data', async () => {
    const old = server(database);
    for (const text of ['one', 'two']) await old.save('note', text, { a: 1 });
    const archive = await old.exported();
    const here = await movedTo(old.signer.publicKey.kid);
    const change = fc.tuple(fc.nat(archive.length - 1), fc.integer({ min: 1, max: 255 }));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const changed = Buffer.from(archive);
        for (const [at, by] of changes) changed[at]! ^= by;
        const outcome = await here.taken(changed).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'archive_invalid' });
        else expect(await here.texts()).toEqual([['note', 'two']]);
      }),
      { numRuns: 150 },
    );
  });

  test('an archive that exceeds the storage quota stores nothing', async () => {
    const old = server(database);
    for (let count = 0; count < 9; count += 1) await old.save(`k${count}`, Buffer.alloc(10 * MB, count));
    const archive = await old.exported();
    const here = await movedTo(old.signer.publicKey.kid);
    for (let count = 0; count < 2; count += 1)
      await here.save(`mine${count}`, Buffer.alloc(10 * MB, 90 + count));
    await expect(here.taken(archive)).rejects.toMatchObject({ code: 'storage_quota_exceeded' });
    expect((await here.assets.list(WALLET, { prefix: '', limit: 99 })).count).toBe(2);
    const full = await movedTo(old.signer.publicKey.kid, { bytesMax: MB });
    await expect(full.taken(archive)).rejects.toMatchObject({ code: 'storage_full' });
  });

  test('imports and account deletion update the storage counter once per statement, not per row', async () => {
    const old = server(database);
    for (let count = 0; count < 40; count += 1)
      for (const text of ['one', 'two']) await old.save(`k${count}`, `${text} ${count}`);
    const archive = await old.exported();
    const updates: number[] = [];
    const updatesUntilNow = async (tx: Queryable) =>
      (
        await tx.query<{ count: number }>(
          `select n_tup_upd as count from pg_stat_xact_user_tables where relid = 'asset_storage'::regclass`,
        )
      )[0]!.count;
    const counting: Database = {
      ...database,
      transaction: (work) =>
        database.transaction(async (tx) => {
          const before = await updatesUntilNow(tx);
          const outcome = await work(tx);
          updates.push((await updatesUntilNow(tx)) - before);
          return outcome;
        }),
    };
    const here = await movedTo(old.signer.publicKey.kid, { database: counting });
    expect((await here.taken(archive)).counts).toMatchObject({ assets: 40, versions: 40 });
    expect((await here.leaving.close(WALLET, { isDry: false })).counts).toMatchObject({ assets: 40 });
    expect(await here.assets.trash(WALLET, { limit: 100 })).toHaveLength(40);
    // One for the assets and one for the versions.
    expect(updates).toEqual([2, 2]);
  });
});
