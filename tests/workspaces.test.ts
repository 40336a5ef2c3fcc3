import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { forEachApp } from './support/for_each_app.ts';
import type { TestReply } from './support/open_test_app.ts';
import { newOwner } from './support/owner.ts';
import { type Body, workspaceCalls } from './support/workspace_calls.ts';

/** People and agents on one workspace, over REST, as the page and agents use it. */

async function freshPicture(): Promise<string> {
  const raw = { width: 24, height: 16, channels: 3 as const };
  return (
    await sharp(randomBytes(24 * 16 * 3), { raw })
      .png()
      .toBuffer()
  ).toString('base64');
}

forEachApp((open) => {
  const { app } = workspaceCalls(open);
  const call = (tool: string, body: object, headers: Record<string, string> = {}): Promise<TestReply> =>
    app.post(`/api/tools/${tool}`, body, headers);
  const at = (workspace: string, path = '') => `/api/workspaces/${workspace}${path}`;
  const read = async (workspace: string, headers = {}): Promise<Body> =>
    (await app.get(at(workspace), headers)).body;
  const fetched = async (path: string, init?: RequestInit): Promise<Response> =>
    app.fetch(new Request(`http://atelier.test${path}`, init));
  /** A workspace without a wallet, by its own link. */
  const guest = async (): Promise<string> =>
    (await app.post('/api/workspaces', { title: 'Mugs' })).body.links[0].id;
  const shared = async (workspace: string, role: string, headers = {}): Promise<string> =>
    (await app.post(at(workspace, '/links'), { role, name: 'Anna' }, headers)).body.link.id;

  test('a result is called after the item it is made from', async () => {
    const workspace = await guest();
    const images = [{ image: await freshPicture(), name: 'Jug & pear 100%.webp' }];
    await app.post(at(workspace, '/items'), { images });
    await call('resize_image', { image: 'item:1', width: 12, height: 8, workspace });
    const { items } = await read(workspace);
    expect(items[1].name).toMatch(/^Jug & pear 100%.*\.png$/);
  });

  test('a call puts its image and its result into the workspace, and the next takes it as an item', async () => {
    const workspace = await guest();
    const image = await freshPicture();
    const first = await call('resize_image', { image, width: 12, height: 8, workspace });
    expect(first.status).toBe(200);
    expect(first.body.workspace).toMatchObject({ act: 1, items: [2] });
    const second = await call('resize_image', { image: 'item:2', width: 6, height: 4, workspace });
    expect(second.body).toMatchObject({ width: 6, workspace: { act: 2, items: [3] } });
    const { items, acts, branches } = await read(workspace);
    expect(items.map(({ item, act, width, name }: Body) => [item, act, width, name])).toEqual([
      [1, null, 24, 'image 1.png'],
      [2, 1, 12, 'image 2.png'],
      [3, 2, 6, 'image 3.png'],
    ]);
    expect(acts[0]).toMatchObject({ tool: 'resize_image', inputs: [2], outputs: [3], parent: 1, credits: 0 });
    expect(branches[0]).toMatchObject({ head: 2 });
    const details = (await app.get(at(workspace, '/acts/2'))).body;
    expect(details.input).toEqual({ image: 'item:2', width: 6, height: 4 });
    expect(details.answer).toMatchObject({ width: 6 });
  });

  test('a paid call shows its price without disclosing the wallet', async () => {
    const { wallet, bare } = await newOwner(app);
    const workspace = await guest();
    const body = {
      image: await freshPicture(),
      metadata: { title: 'Sun' },
      metadata_mode: 'standard',
      workspace,
    };
    expect((await call('infuse_metadata', body, bare)).status).toBe(200);
    const contents = await read(workspace);
    expect(contents.acts[0]).toMatchObject({ tool: 'infuse_metadata', credits: 1, state: 'done' });
    expect(JSON.stringify(contents)).not.toContain(wallet);
  });

  test('a call that fails after it was admitted is an act with its error; a refused input is none', async () => {
    const workspace = await guest();
    const image = await freshPicture();
    expect((await call('resize_image', { image, width: 0, height: 8, workspace })).status).toBe(400);
    expect((await call('resize_image', { image: 'item:9', width: 8, height: 8, workspace })).status).toBe(
      404,
    );
    expect((await read(workspace)).acts).toEqual([]);
    // Its header holds; its pixels do not.
    const bytes = Buffer.from(image, 'base64');
    bytes.fill(0xff, bytes.indexOf('IDAT') + 4, bytes.indexOf('IDAT') + 40);
    const failing = { image: bytes.toString('base64'), width: 8, height: 8, workspace };
    const failed = await call('resize_image', failing);
    expect(failed.status).toBeGreaterThanOrEqual(400);
    const { acts } = await read(workspace);
    expect(acts).toMatchObject([{ state: 'failed', error: { code: failed.body.code }, outputs: [] }]);
  });

  test('dry runs leave no trace, and items stand for nothing without their workspace', async () => {
    const workspace = await guest();
    await call('resize_image', { image: await freshPicture(), width: 8, height: 8, workspace });
    const body = { image: 'item:1', width: 4, height: 4 };
    const quote = await call('resize_image', { ...body, workspace, dry_run: true });
    expect(quote.status).toBe(200);
    expect((await read(workspace)).acts).toHaveLength(1);
    const alone = await call('resize_image', body);
    expect([alone.status, alone.body.code]).toEqual([404, 'image_not_found']);
    const other = await call('resize_image', { ...body, workspace: await guest() });
    expect([other.status, other.body.code]).toEqual([404, 'item_not_found']);
  });

  test('roles: viewers cannot work, workers cannot share, and revoked links stay closed', async () => {
    const workspace = await guest();
    const [view, work] = [await shared(workspace, 'view'), await shared(workspace, 'work')];
    const image = await freshPicture();
    const body = { image, width: 8, height: 8 };
    const refused = await call('resize_image', { ...body, workspace: view });
    expect([refused.status, refused.body.code]).toEqual([403, 'workspace_denied']);
    expect((await call('resize_image', { ...body, workspace: work })).status).toBe(200);
    for (const [path, sent] of [
      ['/items', { images: [{ image }] }],
      ['/items/edit', { items: [{ item: 1, caption: 'x' }] }],
      ['/undo', {}],
      ['/branches', { branch: 'x' }],
      ['/comments', { text: 'x' }],
    ] as const)
      expect((await app.post(at(view, path), sent)).status).toBe(403);
    for (const [path, sent] of [
      ['/edit', { title: 'x' }],
      ['/links', { role: 'own' }],
      ['/empty', {}],
      ['/delete', {}],
    ] as const)
      expect((await app.post(at(work, path), sent)).status).toBe(403);
    expect((await read(view)).links).toEqual([]);
    expect((await read(work)).acts[0].author).toMatchObject({ kind: 'link', name: 'Anna' });
    await app.post(at(workspace, '/links'), { revoke: 3 });
    expect((await app.get(at(work))).status).toBe(404);
  });

  test('a recipe is one act a step, and the chain of an item runs on another image', async () => {
    const { bare } = await newOwner(app);
    const workspace = await guest();
    const images = await Promise.all([freshPicture(), freshPicture()]);
    await app.post(at(workspace, '/items'), { images: images.map((image) => ({ image })) });
    const steps = [
      { tool: 'resize_image', params: { image: '$photo', width: 12, height: 8 }, save_as: 'small' },
      { tool: 'resize_image', params: { image: '$small', width: 6, height: 4 }, save_as: 'tiny' },
    ];
    const ran = await call('run_recipe', { steps, inputs: { photo: 'item:1' }, workspace }, bare);
    expect(ran.body).toMatchObject({ state: 'done', workspace: { act: 1, items: [3, 4] } });
    const { acts, branches } = await read(workspace);
    expect(acts.map(({ act, recipe, parent, state }: Body) => [act, recipe, parent, state])).toEqual([
      [3, 'tiny', 2, 'done'],
      [2, 'small', null, 'done'],
      [1, null, null, 'done'],
    ]);
    expect(branches[0]).toMatchObject({ head: 3 });
    const { call: replay } = (await app.get(at(workspace, '/program?item=4&on=2'))).body;
    const again = await call(replay.tool, replay.input, bare);
    expect(again.body).toMatchObject({ state: 'done' });
    const { items } = await read(workspace);
    expect(items.map(({ width }: Body) => width)).toEqual([24, 24, 12, 6, 12, 6]);
  });

  test('a job ends its act with its result', async () => {
    const { bare } = await newOwner(app);
    const workspace = await guest();
    const body = { image: await freshPicture(), width: 12, height: 8, workspace, async: true };
    const accepted = await call('resize_image', body, bare);
    expect([accepted.status, accepted.body.workspace]).toMatchObject([202, { act: 1, items: [] }]);
    const job = accepted.body.job_id;
    await expect.poll(async () => (await read(workspace)).acts[0].state).toBe('done');
    const { acts, items } = await read(workspace);
    expect(acts[0]).toMatchObject({ job_id: job, outputs: [2] });
    expect(items).toHaveLength(2);
  });

  test('files of items are shown, in small and as they are, and never as pages', async () => {
    const workspace = await guest();
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
    const photo = await freshPicture();
    const images = [{ image: photo }, { image: Buffer.from(svg).toString('base64'), name: 'a.svg' }];
    expect((await app.post(at(workspace, '/items'), { images })).body.items).toHaveLength(2);
    const full = await fetched(at(workspace, '/items/1/file'));
    expect(Buffer.from(await full.arrayBuffer()).toString('base64')).toBe(photo);
    expect(full.headers.get('cache-control')).toContain('immutable');
    const drawing = await fetched(at(workspace, '/items/2/file?size=small'));
    expect(drawing.headers.get('content-type')).toBe('image/webp');
    const raw = await fetched(at(workspace, '/items/2/file'));
    expect(raw.headers.get('content-security-policy')).toContain('sandbox');
    expect((await fetched(at(workspace, '/items/7/file'))).status).toBe(404);
  });

  test('a missing file does not stop the others', async () => {
    const workspace = await guest();
    const images = [{ image: 'upload:gone' }, { image: await freshPicture() }, { image: '!!' }];
    const { status, body } = await app.post(at(workspace, '/items'), { images });
    expect([status, body.items.length]).toEqual([200, 1]);
    expect(body.failed.map(({ at: place, code }: Body) => [place, code])).toEqual([
      [0, 'image_not_found'],
      [2, 'invalid_input'],
    ]);
  });

  test('events come as they happen, numbered, to everyone with access', async () => {
    const workspace = await guest();
    const view = await shared(workspace, 'view');
    const { event } = (await read(workspace)).workspace;
    const leaving = new AbortController();
    const stream = await fetched(at(view, `/events?after=${event}&as=Zoe`), { signal: leaving.signal });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const heard: string[] = [];
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    const until = async (text: string) => {
      while (!heard.join('').includes(text)) heard.push((await reader.read()).value ?? '');
    };
    await until('"name":"Zoe"');
    await app.post(at(workspace, '/comments'), { text: 'Look' });
    await until('"text":"Look"');
    expect(heard.join('')).toContain(`id: ${event + 1}\nevent: change\n`);
    await reader.cancel();
    leaving.abort();
    await expect.poll(async () => (await read(workspace)).watchers).toEqual([]);
  });

  test('invalid ids, links and numbers of all kinds are refused without a server error', async () => {
    const workspace = await guest();
    for (const id of [
      'x',
      'wsp_',
      `wsp_${'f'.repeat(32)}`,
      `${workspace}x`,
      '%00',
      '..%2f..',
      'a'.repeat(390),
    ])
      for (const path of ['', '/events', '/acts', '/items/1/file', '/program?item=1'])
        expect((await fetched(at(id, path))).status).toBeLessThan(500);
    for (const path of ['/acts/0', '/acts/99999999999', '/items/-1/file', '/compare?a=x&b=y', '/program'])
      expect((await fetched(at(workspace, path))).status).toBeLessThan(500);
    const odd = await app.post(at(workspace, '/items/edit'), {
      items: Array.from({ length: 201 }, (_, item) => ({ item: item + 1, x: 1 })),
    });
    expect(odd.status).toBe(400);
  });
});
