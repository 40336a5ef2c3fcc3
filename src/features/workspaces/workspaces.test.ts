import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { WORKSPACE_ITEMS_MAX } from '../../config/limits.ts';
import type { Database } from '../../core/database/types.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { createLinks } from '../../core/links/links.ts';
import type { Scope } from '../../core/principal.ts';
import { createRequestScopes, inRequestScope } from '../../core/request_scope/request_scope.ts';

import type { WorkspacesDeps } from './context.ts';
import type { Access, ActPlace, Visitor, Workspaces } from './types.ts';
import { createWorkspaces } from './workspaces.ts';

const WALLET = `0x${'a1'.repeat(20)}`;
const OTHER = `0x${'b2'.repeat(20)}`;
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnWAAAAEklEQVR4nGP8z8DAwMDAxAADABcgAQU2cVqkAAAAAElFTkSuQmCC',
  'base64',
);
/** Another file that is the same image: bytes behind the end do not matter. */
const png = (number: number): Buffer => Buffer.concat([PNG, Buffer.from(String(number))]);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const code = (error: unknown) => (error instanceof AtelierError ? error.code : error);
const refusal = (work: Promise<unknown>) => work.then(() => 'done', code);

/** A server of the database. */
function server(database: Database, more: Partial<WorkspacesDeps> = {}) {
  const stored = new Map<string, Uint8Array>();
  const results = new Map<string, Uint8Array>();
  const workspaces = createWorkspaces({
    database,
    links: createLinks({ publicUrl: 'https://here.example', secret: 'a secret of all servers' }),
    blobs: {
      put: async (bytes) => {
        stored.set(sha256(bytes), bytes);
        return sha256(bytes);
      },
      get: async (name) => stored.get(name)!,
      open: async (name) => new Blob([stored.get(name) as Uint8Array<ArrayBuffer>]),
    },
    results: {
      open: async (id) => ({ bytes: results.get(id)!, contentType: 'image/png' }),
      nameOf: () => undefined,
    },
    ownership: { lockedAt: async () => undefined, record: async () => {} },
    jobs: { find: async () => undefined, resultOf: async () => '{}' },
    inScope: (work) => work(),
    ...more,
  });
  /** A call that runs to its end, as the pipeline makes it. */
  const call = async (
    access: Access,
    input: { image?: number; made: readonly number[]; credits?: number },
  ) => {
    const image = { bytes: png(0), format: 'png', width: 2, height: 3 } as const;
    const at = await workspaces.begin(access, {
      tool: 'resize_image',
      input: { image: 'a', width: 2 },
      images: input.image === undefined ? [] : [{ path: 'image', image, item: input.image }],
      lifetimeMs: 1000,
    });
    const { credits = 0, made } = input;
    const { output, items } = await placed(at, made);
    await workspaces.finish(at, { output, credits, outputs: items });
    return { ...at, items };
  };
  const placed = async (at: ActPlace, made: readonly number[]) => {
    const handles = made.map((number) => {
      const id = `aaaaaaa-${String(number).padStart(32, '0')}.png`;
      results.set(id, png(number));
      return `result:${id}`;
    });
    const output = {
      result: handles[0],
      more: handles.slice(1).map((result) => ({ result })),
      mode: 'cover',
    };
    return { output, ...(await workspaces.place(at, output)) };
  };
  return { workspaces, call, placed, stored };
}

const asOwner: Visitor = { wallet: WALLET, proof: { wallet: WALLET, by: 'session' } };
const byKey = (...scopes: Scope[]): Visitor => ({
  wallet: WALLET,
  proof: { wallet: WALLET, by: 'key', key: { id: 'k', name: 'painter', scopes } },
});

forEachDatabase((_name, open) => {
  let database: Database;
  let here: ReturnType<typeof server>;
  let workspaces: Workspaces;
  let own: Access;
  beforeEach(async () => {
    database = await open();
    here = server(database);
    ({ workspaces } = here);
    ({ access: own } = await workspaces.create('Posters', asOwner));
  });

  const link = async (role: 'view' | 'work' | 'own', name = 'Anna') =>
    (await workspaces.share(own, { role, name })).link;

  describe('access control', () => {
    test('only the owner can open a workspace by id; strangers and guessed ids are rejected', async () => {
      expect(own).toMatchObject({ role: 'own', id: expect.stringMatching(/^wsp_[0-9a-f]{32}$/) });
      expect(await refusal(workspaces.access(own.id, {}))).toBe('workspace_not_found');
      expect(await refusal(workspaces.access(own.id, { wallet: OTHER }))).toBe('workspace_not_found');
      const guessed = `wsp_${'0'.repeat(32)}`;
      expect(await refusal(workspaces.access(guessed, asOwner))).toBe('workspace_not_found');
      expect(await refusal(workspaces.access('../../etc', asOwner))).toBe('workspace_not_found');
    });

    test('a link grants its role until revoked and cannot be escalated to another role', async () => {
      const view = await link('view');
      const access = await workspaces.access(view.id, {});
      expect(access).toMatchObject({ role: 'view', author: { name: 'Anna', link: view.link } });
      expect((await workspaces.access(view.url, {})).id).toBe(own.id);
      expect(await refusal(workspaces.access(view.id, {}, 'work'))).toBe('workspace_denied');
      const [id, claims, signature] = view.id.split('.');
      const altered = `${id}.s${view.link + 1}.${signature}`;
      await link('own', 'Eve');
      expect(await refusal(workspaces.access(altered, {}))).toBe('workspace_not_found');
      const elsewhere = `wsp_${'1'.repeat(32)}.${claims}.${signature}`;
      expect(await refusal(workspaces.access(elsewhere, {}))).toBe('workspace_not_found');
      await workspaces.revoke(own, view.link);
      expect(await refusal(workspaces.access(view.id, {}))).toBe('workspace_not_found');
    });

    test('an API key needs the scope of the operation', async () => {
      expect((await workspaces.access(own.id, byKey('assets:write'), 'work')).role).toBe('own');
      expect((await workspaces.access(own.id, byKey('assets:read'))).role).toBe('view');
      expect(await refusal(workspaces.access(own.id, byKey('assets:read'), 'work'))).toBe('scope_denied');
      expect(await refusal(workspaces.access(own.id, byKey('spend')))).toBe('scope_denied');
    });

    test('the bare address of a locked wallet gives no access', async () => {
      const locked = server(database, {
        ownership: { lockedAt: async () => new Date(), record: async () => {} },
      });
      expect(await refusal(locked.workspaces.access(own.id, { wallet: WALLET }))).toBe('workspace_not_found');
      expect((await locked.workspaces.access(own.id, asOwner)).role).toBe('own');
    });

    test('a pass carries the role and author of its link and ends with it', async () => {
      const shared = await link('work', 'Ben');
      const ben = await workspaces.access(shared.id, { as: 'Benjamin' });
      const pass = await workspaces.passFor(ben);
      const again = await workspaces.access(pass, {});
      expect(again).toMatchObject({ role: 'work', author: { name: 'Benjamin', link: shared.link } });
      const owners = await workspaces.passFor(own);
      expect(await workspaces.access(owners, {})).toMatchObject({ role: 'own', author: { wallet: WALLET } });
      expect(await refusal(workspaces.access(pass.replace('.pw', '.po'), {}))).toBe('workspace_not_found');
      await workspaces.revoke(own, shared.link);
      expect(await refusal(workspaces.access(pass, {}))).toBe('workspace_not_found');
    });

    test('an anonymous workspace opens by link, is claimed once, and keeps its last owner link', async () => {
      const { access, links } = await workspaces.create(undefined, {});
      expect(links).toHaveLength(1);
      expect(await refusal(workspaces.access(access.id, { wallet: WALLET }))).toBe('workspace_not_found');
      expect(await refusal(workspaces.revoke(access, links[0]!.link))).toBe('invalid_input');
      await workspaces.claim(access, OTHER);
      expect(await refusal(workspaces.claim(access, WALLET))).toBe('workspace_denied');
      expect((await workspaces.access(access.id, { wallet: OTHER })).role).toBe('own');
    });

    test('the full wallet address is not shown to others', async () => {
      await workspaces.add(own, [{ bytes: png(1) }]);
      const seen = JSON.stringify(
        await workspaces.read(await workspaces.access((await link('view')).id, {})),
      );
      expect(seen).not.toContain(WALLET.slice(2, 20));
      expect(seen).toContain('0xa1a1…a1a1');
    });
  });

  describe('items', () => {
    test('identical bytes are one item; markup and control characters in names become plain text', async () => {
      const name = '<img src=x onerror=alert(1)>\u202egnp.png';
      const { items } = await workspaces.add(own, [{ bytes: png(1), name, caption: '  a\n<b>\u0000' }]);
      expect(items[0]).toMatchObject({
        item: 1,
        kind: 'image',
        width: 2,
        height: 3,
        media_type: 'image/png',
      });
      expect(items[0]!.name).not.toMatch(/[\u202e<>]/);
      expect(items[0]!.caption).toBe('a\n<b>');
      const { items: again } = await workspaces.add(own, [{ bytes: png(1) }, { bytes: png(2) }]);
      expect(again.map(({ item }) => item)).toEqual([1, 2]);
    });

    test('deleted items can be restored until the trash is emptied', async () => {
      await workspaces.add(own, [{ bytes: png(1) }, { bytes: png(2) }]);
      const { items } = await workspaces.edit(own, [{ item: 1, deleted: true, x: 4, y: 5 }]);
      expect(items[0]).toMatchObject({ deleted: true, x: 4, y: 5 });
      await workspaces.add(own, [{ bytes: png(1) }]);
      expect((await workspaces.read(own)).items[0]!.deleted).toBe(false);
      await workspaces.edit(own, [{ item: 2, deleted: true }]);
      expect(await workspaces.emptyTrash(own)).toMatchObject({ deleted: 1, freedBytes: png(2).length });
      expect((await workspaces.view(own)).bytes).toBe(png(1).length);
      expect(await refusal(workspaces.edit(own, [{ item: 2, hidden: true }]))).toBe('item_not_found');
    });

    test('the number of items in a workspace is limited', async () => {
      for (let at = 0; at < WORKSPACE_ITEMS_MAX; at += 50)
        await workspaces.add(
          own,
          Array.from({ length: 50 }, (_, index) => ({ bytes: png(at + index) })),
        );
      expect(await refusal(workspaces.add(own, [{ bytes: png(WORKSPACE_ITEMS_MAX) }]))).toBe(
        'workspace_full',
      );
      const begun = workspaces.begin(own, { tool: 't', input: {}, images: [], lifetimeMs: 1 });
      expect(await refusal(begun)).toBe('workspace_full');
    });

    test('a handle gives access to one item only', async () => {
      await workspaces.add(own, [{ bytes: png(1) }, { bytes: png(2) }]);
      const handle = (await workspaces.handleOf(own, 2)).replace('item:', '');
      const opened = await workspaces.openHandle(handle, { bytesMax: 1000 });
      expect(Buffer.from(opened.bytes).equals(png(2))).toBe(true);
      const other = handle.replace('/2/', '/1/');
      expect(await refusal(workspaces.openHandle(other, { bytesMax: 1000 }))).toBe('image_not_found');
      expect(await refusal(workspaces.openHandle('2', { bytesMax: 1000 }))).toBe('image_not_found');
    });

    test('a rendered image is cached and not rendered again', async () => {
      let draws = 0;
      const draw = async () => {
        draws += 1;
        return { bytes: png(draws), contentType: 'image/png', width: 2, height: 3 };
      };
      const [first, again] = [await workspaces.drawn('a 320', draw), await workspaces.drawn('a 320', draw)];
      await workspaces.drawn('a 1600', draw);
      expect([draws, again.bytes]).toEqual([2, first.bytes]);
    });

    test('image bytes count towards the memory budget until processing ends', async () => {
      const requestScopes = createRequestScopes({ bytesMax: 10_000 });
      const blobs = {
        put: async () => sha256(png(1)),
        get: async () => requestScopes.reserve(png(1).length).then(() => png(1)),
        open: async () => new Blob([]),
      };
      const request = { address: '203.0.113.7', wallet: undefined };
      const inScope: WorkspacesDeps['inScope'] = (work) => inRequestScope(requestScopes, request, work);
      const { workspaces: counted } = server(database, { blobs, inScope });
      await counted.add(own, [{ bytes: png(1) }]);
      const { item } = await counted.file(own, 1);
      const held = await counted.withImage(item, async ({ bytes }) => [
        bytes.length,
        requestScopes.heldBytes(),
      ]);
      expect(held).toEqual([png(1).length, png(1).length]);
      expect(requestScopes.heldBytes()).toBe(0);
    });
  });

  describe('history', () => {
    test('a successful call adds items when done; a failed one is recorded without items', async () => {
      await workspaces.add(own, [{ bytes: png(1) }]);
      const at = await workspaces.begin(own, { tool: 'crop', input: {}, images: [], lifetimeMs: 1000 });
      const { items, output } = await here.placed(at, [2]);
      expect((await workspaces.read(own)).items).toHaveLength(1);
      await workspaces.finish(at, { output, credits: 2, outputs: items });
      const { items: shown, acts } = await workspaces.read(own);
      expect(shown[1]).toMatchObject({ item: items[0], act: 1 });
      expect(acts[0]).toMatchObject({ state: 'done', credits: 2, outputs: items, parent: null });
      const broken = await workspaces.begin(own, { tool: 'crop', input: {}, images: [], lifetimeMs: 1000 });
      await here.placed(broken, [3]);
      await workspaces.fail(broken, { code: 'timed_out', detail: 'Too slow.' });
      const after = await workspaces.read(own);
      expect(after.items).toHaveLength(2);
      expect(after.acts[0]).toMatchObject({ state: 'failed', error: { code: 'timed_out' }, credits: 0 });
      expect(after.branches).toEqual([{ branch: 'main', head: 1, tip: 1, is_current: true }]);
      expect(after.workspace.bytes).toBe(png(1).length + png(2).length);
      await workspaces.finish(broken, { output, credits: 2, outputs: [] });
      expect((await workspaces.read(own)).acts[0]!.state).toBe('failed');
    });

    describe('calls that finish out of order', () => {
      const begin = () => workspaces.begin(own, { tool: 'crop', input: {}, images: [], lifetimeMs: 1000 });
      const end = async (at: ActPlace, made: number) => {
        const { items, output } = await here.placed(at, [made]);
        await workspaces.finish(at, { output, credits: 1, outputs: items });
      };

      test('appear on the branch in the order they started', async () => {
        const [first, second, third] = [await begin(), await begin(), await begin()];
        await end(first, 2);
        await end(third, 3);
        await end(second, 4);
        const { acts, branches } = await workspaces.read(own);
        expect(acts.map(({ act, parent, state }) => [act, parent, state])).toEqual([
          [3, 2, 'done'],
          [2, 1, 'done'],
          [1, null, 'done'],
        ]);
        expect(branches).toEqual([{ branch: 'main', head: 3, tip: 3, is_current: true }]);
        expect(await workspaces.branchActs(own)).toEqual([3, 2, 1]);
      });

      test('fail correctly before a completed call', async () => {
        const [first, second] = [await begin(), await begin()];
        await end(second, 2);
        await workspaces.fail(first, { code: 'timed_out', detail: 'Too slow.' });
        const { acts } = await workspaces.read(own);
        expect(acts.map(({ act, parent, state }) => [act, parent, state])).toEqual([
          [2, null, 'done'],
          [1, null, 'failed'],
        ]);
      });

      test('do not restore undone acts', async () => {
        const late = await begin();
        for (const made of [2, 3]) await here.call(own, { made: [made] });
        await workspaces.undo(own, { times: 1 });
        await end(late, 4);
        const { branches } = await workspaces.read(own);
        expect(branches).toEqual([{ branch: 'main', head: 2, tip: 3, is_current: true }]);
        expect(await workspaces.branchActs(own)).toEqual([2, 1]);
      });
    });

    test('an image referenced only in recipe inputs is an input of its act', async () => {
      await workspaces.add(own, [{ bytes: png(1) }]);
      const handle = await workspaces.handleOf(own, 1);
      const input = { recipe: 'rcp_1', inputs: { photo: handle } };
      const at = await workspaces.begin(own, { tool: 'run_recipe', input, images: [], lifetimeMs: 1000 });
      expect(await workspaces.act(own, at.act)).toMatchObject({
        inputs: [1],
        input: { inputs: { photo: 'item:1' } },
      });
    });

    test('after undo and a new act, the undone acts remain as a comparable branch', async () => {
      await workspaces.add(own, [{ bytes: png(1) }]);
      for (const made of [2, 3, 4]) await here.call(own, { image: 1, made: [made], credits: 1 });
      expect((await workspaces.undo(own, { times: 2 })).branch).toMatchObject({ head: 1, tip: 3 });
      expect((await workspaces.redo(own, { times: 1 })).branch).toMatchObject({ head: 2, tip: 3 });
      expect((await workspaces.undo(own, { times: 9 })).branch.head).toBeNull();
      expect((await workspaces.undo(own, { times: 1 })).branch.head).toBeNull();
      expect((await workspaces.redo(own, { times: 9 })).branch.head).toBe(3);
      await workspaces.undo(own, { times: 2 });
      await here.call(own, { image: 1, made: [5] });
      const { branches, acts } = await workspaces.read(own);
      expect(branches).toContainEqual({ branch: 'main', head: 4, tip: 4, is_current: true });
      expect(branches).toContainEqual({ branch: 'main before 4', head: 3, tip: 3, is_current: false });
      expect(acts[0]).toMatchObject({ act: 4, parent: 1 });
      expect(await workspaces.compare(own, 'main', 'main before 4')).toEqual({
        common: 1,
        a: { acts: [4], items: [5], credits: 0 },
        b: { acts: [2, 3], items: [3, 4], credits: 2 },
      });
    });

    test('branches are created, switched, renamed and deleted', async () => {
      await here.call(own, { made: [1] });
      await workspaces.setBranch(own, { branch: 'warm', at: 0, switches: true });
      await here.call(own, { made: [2] });
      expect((await workspaces.read(own)).acts[0]).toMatchObject({ branch: 'warm', parent: null });
      await workspaces.editBranch(own, { branch: 'warm', name: 'cold', removes: false });
      expect((await workspaces.view(own)).branch).toBe('cold');
      const removed = workspaces.editBranch(own, { branch: 'cold', removes: true });
      expect(await refusal(removed)).toBe('invalid_input');
      await workspaces.editBranch(own, { branch: 'main', removes: true });
      expect((await workspaces.read(own)).acts).toHaveLength(2);
      const failed = await workspaces.begin(own, { tool: 't', input: {}, images: [], lifetimeMs: 1 });
      await workspaces.fail(failed, { code: 'busy', detail: '' });
      const onFailed = workspaces.setBranch(own, { branch: 'x', at: failed.act, switches: true });
      expect(await refusal(onFailed)).toBe('invalid_input');
    });

    test('an act cannot be its own ancestor', async () => {
      await here.call(own, { made: [1] });
      await here.call(own, { made: [2] });
      const circle = database.query('update workspace_acts set parent = 2 where number = 1');
      await expect(circle).rejects.toThrow(/parent_is_earlier/);
    });

    test('acts of a crashed process end as interrupted', async () => {
      const at = await workspaces.begin(own, { tool: 't', input: {}, images: [], lifetimeMs: 1000 });
      expect(await workspaces.sweep(new Date())).toBe(0);
      await workspaces.sweep(new Date(Date.now() + 120_000));
      expect(await workspaces.act(own, at.act)).toMatchObject({
        state: 'failed',
        error: { code: 'interrupted' },
      });
    });

    test('the sequence that produced an item can be applied to another image', async () => {
      await workspaces.add(own, [{ bytes: png(1) }, { bytes: png(9) }]);
      const { items: first } = await here.call(own, { image: 1, made: [2, 3] });
      const { items: second } = await here.call(own, { image: first[1]!, made: [4] });
      const program = await workspaces.program(own, { item: second[0], as: 'recipe', on: 2 });
      expect(program.inputs).toEqual({ image: 'item:2' });
      expect(program.steps).toMatchObject([
        { tool: 'resize_image', params: { image: '$image', width: 2 }, save_as: 'step1' },
        { tool: 'resize_image', params: { image: '$step1.more.0.result', width: 2 }, save_as: 'step2' },
      ]);
      for (const as of ['curl', 'mcp', 'typescript', 'python'] as const)
        expect((await workspaces.program(own, { item: second[0], as })).program).toContain('resize_image');
      expect(await refusal(workspaces.program(own, { item: 1, as: 'recipe' }))).toBe('invalid_input');
    });
  });

  describe('collaboration', () => {
    /** The events of a stream until there are so many. */
    async function listen(access: Access, from: Workspaces, count: number, after = 0) {
      const leaving = new AbortController();
      const how = { after, address: '198.51.100.7', signal: leaving.signal };
      const stream = (await from.watch(access, how))();
      const events: { id?: number; event: string; data: Record<string, unknown> }[] = [];
      for await (const text of stream) {
        const [, id] = /^id: (\d+)$/m.exec(text) ?? [];
        const [, event] = /^event: (\w+)$/m.exec(text) ?? [];
        const [, data] = /^data: (.*)$/m.exec(text) ?? [];
        if (event) events.push({ ...(id && { id: Number(id) }), event, data: JSON.parse(data!) });
        if (events.filter((one) => one.event !== 'watchers').length >= count) leaving.abort();
      }
      return events.filter(({ event }) => event !== 'watchers');
    }

    const watching = async () => (await workspaces.read(own)).watchers.length;

    test('events are numbered without gaps, and a client resumes after its last event', async () => {
      await workspaces.add(own, [{ bytes: png(1) }]);
      await here.call(own, { image: 1, made: [2] });
      await workspaces.comment(own, { text: 'Nice', item: 2 });
      const all = await listen(own, workspaces, 4);
      expect(all.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
      expect(all.map(({ data }) => data.kind)).toEqual([
        'items_added',
        'act_started',
        'act_done',
        'commented',
      ]);
      expect(all[3]!.data).toMatchObject({ by: { kind: 'owner', is_you: true }, comment: { text: 'Nice' } });
      expect((await listen(own, workspaces, 2, 2)).map(({ id }) => id)).toEqual([3, 4]);
      const ahead = await listen(own, workspaces, 1, 99);
      expect(ahead).toEqual([{ event: 'reset', data: {} }]);
    });

    test('a server receives changes made on another server', async () => {
      const there = server(database, { pollMs: 20 });
      const heard = listen(own, there.workspaces, 1);
      await expect.poll(() => there.workspaces.streams()).toBe(1);
      await workspaces.add(own, [{ bytes: png(1) }]);
      expect((await heard)[0]).toMatchObject({ id: 1, data: { kind: 'items_added' } });
      await expect.poll(() => there.workspaces.streams()).toBe(0);
    });

    test('revoking a link ends its streams, and deleting a workspace ends all', async () => {
      const view = await link('view');
      const guest = await workspaces.access(view.id, {});
      const { event } = await workspaces.view(own);
      const heard = listen(guest, workspaces, 9, event);
      await expect.poll(watching).toBe(1);
      await workspaces.revoke(own, view.link);
      expect((await heard).at(-1)).toEqual({ event: 'closed', data: { code: 'workspace_not_found' } });
      const { event: last } = await workspaces.view(own);
      const mine = listen(own, workspaces, 9, last);
      await expect.poll(watching).toBe(1);
      await workspaces.remove(own);
      expect((await mine).at(-1)).toMatchObject({ event: 'closed' });
    });

    test('viewers see each other join and leave', async () => {
      const view = await link('view');
      const guest = await workspaces.access(view.id, { as: 'Zoë' });
      const leaving = new AbortController();
      const { event: after } = await workspaces.view(own);
      const stream = (await workspaces.watch(guest, { after, address: '::1', signal: leaving.signal }))();
      await stream.next();
      const first = await stream.next();
      expect(first.value).toContain('"name":"Zoë"');
      expect((await workspaces.read(own)).watchers).toMatchObject([
        { name: 'Zoë', role: 'view', is_you: false },
      ]);
      leaving.abort();
      await stream.return(undefined);
      expect((await workspaces.read(own)).watchers).toEqual([]);
    });

    test('the number of event streams per address is limited', async () => {
      const how = { after: 0, address: '203.0.113.9', signal: new AbortController().signal };
      const open = Array.from({ length: 30 }, () => workspaces.watch(own, how));
      await Promise.all(open);
      expect(await refusal(workspaces.watch(own, how))).toBe('too_many_streams');
      await workspaces.watch(own, { ...how, address: '203.0.113.10' });
      workspaces.close();
    });
  });

  test('anonymous workspaces are deleted after seven days, and wallet workspaces are not', async () => {
    const { access } = await workspaces.create(undefined, {});
    await workspaces.add(access, [{ bytes: png(1) }]);
    await workspaces.sweep(new Date(Date.now() + 6 * 86_400_000));
    expect(await workspaces.totals()).toMatchObject({ workspaces: 2, guests: 1, items: 1 });
    await workspaces.sweep(new Date(Date.now() + 8 * 86_400_000));
    expect(await workspaces.totals()).toMatchObject({ workspaces: 1, guests: 0, items: 0 });
  });

  test('closing an account keeps its acts in other workspaces but removes its name', async () => {
    const work = await link('work', 'Studio');
    const other = await workspaces.access(work.id, { wallet: OTHER });
    await workspaces.comment(other, { text: 'Seen' });
    await database.transaction((tx) => workspaces.forget(tx, OTHER));
    const people = await database.query<{ wallet: string | null }>('select wallet from workspace_people');
    expect(people.map(({ wallet }) => wallet)).not.toContain(OTHER);
    expect((await workspaces.read(own)).comments).toMatchObject([{ text: 'Seen' }]);
    await database.transaction((tx) => workspaces.forget(tx, WALLET));
    expect(await workspaces.totals()).toMatchObject({ workspaces: 0 });
  });
});
