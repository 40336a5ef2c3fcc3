import { createHash, generateKeyPairSync } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { spool } from '../../../../tests/support/spooled.ts';
import type { Database } from '../../../core/database/types.ts';
import { createSigner } from '../../../core/keys/signer.ts';
import { createLinks } from '../../../core/links/links.ts';
import type { Access } from '../../workspaces/types.ts';
import { createWorkspaces } from '../../workspaces/workspaces.ts';
import { createAccountExport, writeTar } from './export.ts';
import { readBytes, readTar } from './read_tar.ts';

/** Workspaces of a wallet that moves to another server. */

const WALLET = `0x${'a'.repeat(40)}`;
const OTHER = `0x${'b'.repeat(40)}`;
const MB = 1024 * 1024;
const SIGNER = createSigner(generateKeyPairSync('ed25519').privateKey);
const never = new AbortController().signal;
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnWAAAAEklEQVR4nGP8z8DAwMDAxAADABcgAQU2cVqkAAAAAElFTkSuQmCC',
  'base64',
);
/** Another file that is the same image: bytes behind the end do not matter. */
const png = (number: number): Buffer => Buffer.concat([PNG, Buffer.from(String(number))]);
const asOwner = { wallet: WALLET, proof: { wallet: WALLET, by: 'session' } } as const;

/** A server with its storage; its address and secret are its own. */
function server(database: Database, name: string) {
  const stored = new Map<string, Uint8Array>();
  const blobs = {
    put: async (bytes: Uint8Array) => {
      stored.set(sha256Of(bytes), Uint8Array.from(bytes));
      return sha256Of(bytes);
    },
    get: async (sha256: string) => stored.get(sha256)!,
    open: async (sha256: string) => new Blob([stored.get(sha256) as Uint8Array<ArrayBuffer>]),
  };
  const publicUrl = `https://${name}.example`;
  const workspaces = createWorkspaces({
    database,
    blobs,
    links: createLinks({ publicUrl, secret: `the secret of ${name}` }),
    results: { open: async () => ({ bytes: png(2), contentType: 'image/png' }), nameOf: () => undefined },
    ownership: { lockedAt: async () => undefined, record: async () => {} },
    jobs: { find: async () => undefined, resultOf: async () => '{}' },
    inScope: (work) => work(),
  });
  const leaving = createAccountExport({
    database,
    blobs,
    workspaces,
    publicUrl,
    signer: SIGNER,
    spool,
    trustedKids: [SIGNER.publicKey.kid],
    bytesMax: 1e12,
    receipts: { keys: async () => [] },
    reserve: async () => {},
    keysOf: async () => [],
    endJob: async () => false,
  });
  const exported = async () =>
    Buffer.concat(await Array.fromAsync((await leaving.exportWallet(WALLET)).chunks()));
  const taken = (archive: Buffer) =>
    leaving.importWallet(WALLET, pieces(archive), { replaces: false, address: '203.0.113.1', signal: never });
  return { stored, workspaces, exported, taken };
}

const pieces = async function* (bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024);
};

type Server = ReturnType<typeof server>;

/** A call that makes one image of an item. */
async function act({ workspaces }: Server, access: Access, answer: Record<string, unknown> = {}) {
  const at = await workspaces.begin(access, {
    tool: 'resize_image',
    input: { image: 'item:1', width: 2 },
    images: [{ path: 'image', image: { bytes: png(1), format: 'png', width: 2, height: 3 }, item: 1 }],
    lifetimeMs: 1000,
  });
  const output = { result: `result:aaaaaaa-${'0'.repeat(31)}1.png`, ...answer };
  const { items } = await workspaces.place(at, output);
  await workspaces.finish(at, { output, credits: 2, outputs: items });
}

/** A workspace with an image of two people, two branches, a comment, something in the trash and a running act. */
async function tableOf(here: Server): Promise<Access> {
  const { workspaces } = here;
  const { access } = await workspaces.create('Mugs', asOwner);
  await workspaces.add(access, [{ bytes: png(1), name: 'mug.png' }, { bytes: png(9) }]);
  await act(here, access, { note: '\u0000 猫' });
  await workspaces.setBranch(access, { branch: 'warm', at: 0, switches: true });
  await workspaces.edit(access, [{ item: 2, deleted: true }]);
  const { link } = await workspaces.share(access, { role: 'work', name: 'Anna' });
  const anna = await workspaces.access(link.id, { wallet: OTHER, proof: { wallet: OTHER, by: 'session' } });
  await workspaces.comment(anna, { text: 'Bluer, please', item: 1 });
  await workspaces.begin(access, { tool: 'running', input: {}, images: [], lifetimeMs: 1000 });
  return access;
}

const tarOf = async (files: readonly { readonly name: string; readonly bytes: Buffer }[]) =>
  Buffer.concat(
    await Array.fromAsync(
      writeTar(
        (async function* () {
          for (const { name, bytes } of files) yield { name, size: bytes.length, bytes: [bytes] };
        })(),
        new Date(),
      ),
    ),
  );

/** The archive with other lines of its workspace, signed anew: any server can make such a one. */
async function forged(archive: Buffer, change: (lines: Record<string, unknown>[]) => unknown[]) {
  const files = await Array.fromAsync(
    readTar(pieces(archive), () => MB),
    async ({ name, size, pieces }) => ({ name, bytes: await readBytes(pieces, size) }),
  );
  const part = files.find(({ name }) => name.startsWith('workspaces/'))!;
  const lines = part.bytes.toString().trim().split('\n');
  const bytes = Buffer.from(
    change(lines.map((line) => JSON.parse(line)))
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  const manifest = JSON.parse(files[0]!.bytes.toString());
  manifest.workspaces[0].parts = [{ sha256: sha256Of(bytes), bytes: bytes.length }];
  const text = Buffer.from(JSON.stringify(manifest));
  const claims = { iss: manifest.server, sub: WALLET, iat: 1, manifest_sha256: sha256Of(text) };
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: SIGNER.publicKey.x };
  const signature = Buffer.from(SIGNER.sign('wallet-archive+jwt', claims, { jwk }));
  const rest = files.slice(2).map((file) => (file === part ? { ...file, bytes } : file));
  return tarOf([{ name: files[0]!.name, bytes: text }, { name: files[1]!.name, bytes: signature }, ...rest]);
}

forEachDatabase((_name, open) => {
  let database: Database;
  let old: Server;
  let own: Access;
  let archive: Buffer;
  beforeEach(async () => {
    database = await open();
    old = server(database, 'old');
    own = await tableOf(old);
    archive = await old.exported();
  });

  /** An empty server in its place. */
  const moved = async () => {
    await database.query('delete from workspaces');
    return server(database, 'new');
  };
  const opened = async (here: Server) => here.workspaces.read(await here.workspaces.access(own.id, asOwner));

  test('an imported workspace keeps its ID, files, items, operations, branches and comments', async () => {
    const before = await opened(old);
    const here = await moved();
    expect((await here.taken(archive)).counts).toMatchObject({ workspaces: 1, workspaces_unchanged: 0 });
    const { workspace, links, watchers: _, ...contents } = await opened(here);
    const { acts, items, branches, comments } = before;
    const others = { kind: 'link', name: 'Anna', is_agent: false, is_you: false };
    expect(contents).toEqual({
      items,
      branches,
      acts: acts.filter(({ state }) => state === 'done'),
      comments: comments.map((comment) => ({ ...comment, author: others })),
    });
    expect(workspace).toMatchObject({ title: 'Mugs', branch: 'warm', bytes: before.workspace.bytes });
    expect(links[0]!.url).toMatch(/^https:\/\/new\.example\/table\//);
    const access = await here.workspaces.access(own.id, asOwner);
    const { blob } = await here.workspaces.file(access, 1);
    expect(Buffer.from(await blob.arrayBuffer()).equals(png(1))).toBe(true);
    expect(await here.workspaces.act(access, 1)).toMatchObject({
      input: { image: 'item:1', width: 2 },
      answer: { note: '\u0000 猫' },
    });
  });

  test('edits to an imported workspace continue with unused sequence numbers', async () => {
    const here = await moved();
    await here.taken(archive);
    const access = await here.workspaces.access(own.id, asOwner);
    await act(here, access);
    const { acts, workspace } = await here.workspaces.read(access);
    expect(acts[0]!.act).toBe(3);
    expect(workspace.event).toBeGreaterThan((await old.workspaces.view(own)).event - 2);
  });

  test('reimporting an archive leaves an existing workspace with the same ID unchanged', async () => {
    const here = await moved();
    await here.taken(archive);
    const access = await here.workspaces.access(own.id, asOwner);
    await here.workspaces.rename(access, 'Cups');
    expect((await here.taken(archive)).counts).toMatchObject({ workspaces: 0, workspaces_unchanged: 1 });
    await database.query('update workspaces set owner = $1', [OTHER]);
    expect((await here.taken(archive)).counts).toMatchObject({ workspaces: 0, workspaces_unchanged: 1 });
    expect((await here.workspaces.totals()).workspaces).toBe(1);
  });

  test('an archive contains no addresses of other wallets and no working share links', async () => {
    const [link] = (await opened(old)).links;
    const here = await moved();
    await here.taken(archive);
    expect(archive.includes(OTHER)).toBe(false);
    await expect(here.workspaces.access(link!.id, {})).rejects.toMatchObject({ code: 'workspace_not_found' });
    const rows = await database.query('select 1 from workspace_people where wallet = $1', [OTHER]);
    expect(rows).toEqual([]);
  });

  test.each([
    ['a file that did not come along', 'not in the archive', { record: 'item', sha256: 'f'.repeat(64) }],
    ['a tool that is no name', 'tool', { record: 'act', tool: 'a$(rm -rf)' }],
    ['a place that is no name', 'path', { record: 'item', path: 'a"];b' }],
    ['an act before its parent', 'must come after its parent', { record: 'act', parent: 9 }],
    ['a branch on nothing', 'missing act', { record: 'branch', head: 7 }],
    ['no current branch', 'missing act', { record: 'workspace', branch: 'gone' }],
    ['a failure without an error', 'error', { record: 'act', state: 'failed' }],
    ['an input that is no object', 'JSON object', { record: 'act', input: '[1' }],
    ['a time of no time', 'created_at', { record: 'item', created_at: '0001-01-01T00:00:00Z' }],
    ['a number out of range', 'number', { record: 'comment', number: 1e9 }],
    ['a number that is none', 'number', { record: 'comment', number: 'one' }],
  ])('a forged archive is rejected and stores nothing: %s', async (_what, said, wrong) => {
    const here = await moved();
    const sent = await forged(archive, (lines) =>
      lines.map((line) => (line.record === wrong.record ? { ...line, ...wrong } : line)),
    );
    await expect(here.taken(sent)).rejects.toMatchObject({
      code: 'archive_invalid',
      message: expect.stringContaining(said),
    });
    expect((await here.workspaces.totals()).workspaces).toBe(0);
  });

  test('imported texts are sanitised, duplicate comments count once, and too many lines are rejected', async () => {
    const here = await moved();
    const sent = await forged(archive, (lines) => [
      ...lines.map((line) =>
        line.record === 'item' ? { ...line, caption: 'a\u202eb', name: '../x\u0000.png' } : line,
      ),
      lines.find(({ record }) => record === 'comment'),
    ]);
    expect((await here.taken(sent)).counts.workspaces).toBe(1);
    const { items, comments } = await opened(here);
    expect([items[0]!.caption, items[0]!.name, comments.length]).toEqual(['ab', 'x.png', 1]);
    const next = await moved();
    const many = await forged(archive, (lines) => [
      ...lines,
      ...Array.from({ length: 2_001 }, () => lines.find(({ record }) => record === 'comment')),
    ]);
    await expect(next.taken(many)).rejects.toThrow('more than 2000 lines of comment');
  });

  test('an import that would exceed the workspace quota of the wallet is rejected', async () => {
    const here = await moved();
    const { access } = await here.workspaces.create('Full', asOwner);
    await database.query('update workspaces set bytes = 536870900 where id = $1', [access.id]);
    await expect(here.taken(archive)).rejects.toMatchObject({ code: 'storage_quota_exceeded' });
    await database.query('update workspaces set bytes = 0');
    expect((await here.taken(archive)).counts.workspaces).toBe(1);
  });
});
