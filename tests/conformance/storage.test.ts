import { describe, expect, test } from 'vitest';
import { baseUrl, callTool, newWallet } from './api.ts';
import { quarters } from './pictures.ts';

const HELLO = Buffer.from('hello').toString('base64');

describe('assets', () => {
  test('a saved asset is returned', async () => {
    const { wallet, bearer } = await newWallet();
    const saved = await callTool(
      'save_asset',
      { wallet, key: 'a/b', data: HELLO, content_type: 'text/plain', metadata: { title: 'é' } },
      bearer,
    );
    const { body } = await callTool('get_asset', { wallet, key: 'a/b' });
    expect(saved.body).toMatchObject({
      wallet,
      key: 'a/b',
      size_bytes: 5,
      overwritten: false,
      storage: { used_bytes: 5 },
    });
    expect(body).toMatchObject({
      data: HELLO,
      content_type: 'text/plain',
      metadata: { title: 'é' },
      sha256: saved.body.sha256,
    });
  });

  test('the default content type is image/png', async () => {
    const { wallet, bearer } = await newWallet();
    const { body } = await callTool('save_asset', { wallet, key: 'p', data: quarters(4) }, bearer);
    expect(body.content_type).toBe('image/png');
  });

  test('saving again overwrites and reports it', async () => {
    const { wallet, bearer } = await newWallet();
    await callTool('save_asset', { wallet, key: 'k', data: HELLO }, bearer);
    const { body } = await callTool('save_asset', { wallet, key: 'k', data: HELLO }, bearer);
    expect(body).toMatchObject({ overwritten: true, storage: { used_bytes: 5 } });
  });

  test('list, then delete, then gone', async () => {
    const { wallet, bearer } = await newWallet();
    await callTool('save_asset', { wallet, key: 'k', data: HELLO }, bearer);
    const list = await callTool('list_assets', { wallet });
    const removed = await callTool('delete_asset', { wallet, key: 'k' });
    const missing = await callTool('get_asset', { wallet, key: 'k' });
    expect(list.body).toMatchObject({
      wallet,
      count: 1,
      total_bytes: 5,
      next_cursor: null,
      assets: [{ key: 'k', size_bytes: 5 }],
    });
    expect(removed.body).toMatchObject({ deleted: true, freed_bytes: 5 });
    expect({ status: missing.status, code: missing.body.code }).toEqual({
      status: 404,
      code: 'asset_not_found',
    });
  });

  test('an unknown wallet lists nothing', async () => {
    const { status, body } = await callTool('list_assets', {
      wallet: '0x00000000000000000000000000000000000000aa',
    });
    expect(status).toBe(200);
    expect(body.assets).toEqual([]);
  });

  test('saving into another wallet is 403 and costs nothing', async () => {
    const [mine, other] = await Promise.all([newWallet(), newWallet()]);
    const { status, body } = await callTool(
      'save_asset',
      { wallet: other.wallet, key: 'k', data: HELLO },
      mine.bearer,
    );
    const balance = await callTool('check_balance', { wallet: mine.wallet });
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'wallet_mismatch' });
    expect(balance.body.balance).toBe(10);
  });

  test('eleven megabytes are too much', async () => {
    const { wallet, bearer } = await newWallet();
    const data = Buffer.alloc(11 * 1024 * 1024).toString('base64');
    const { status, body } = await callTool('save_asset', { wallet, key: 'big', data }, bearer);
    expect({ status, code: body.code }).toEqual({ status: 413, code: 'asset_too_large' });
  });

  test('a saved image is an input of a tool by its key', async () => {
    const { wallet, bearer } = await newWallet();
    await callTool('save_asset', { wallet, key: 'art', data: quarters(16) }, bearer);
    const { status, body } = await callTool(
      'resize_image',
      { image: 'asset:art', width: 8, height: 8 },
      bearer,
    );
    expect({ status, width: body.width }).toEqual({ status: 200, width: 8 });
  });
});

describe('uploads', () => {
  test('bytes sent once are a handle for an hour', async () => {
    const bytes = Buffer.from(quarters(16), 'base64');
    const response = await fetch(`${baseUrl()}/api/uploads`, {
      method: 'POST',
      headers: { 'Content-Type': 'image/png' },
      body: bytes,
    });
    const upload = (await response.json()) as { uri: string; size_bytes: number };
    const { body } = await callTool('resize_image', { image: upload.uri, width: 8, height: 8 });
    expect(upload).toMatchObject({ uri: expect.stringMatching(/^upload:/), size_bytes: bytes.length });
    expect(body.width).toBe(8);
  });
});

describe('signed links', () => {
  test('an altered link is 404', async () => {
    const { body } = await callTool('resize_image', { image: quarters(8), width: 4, height: 4 });
    const link = new URL(body.result_url);
    link.searchParams.set('sig', 'x'.repeat(43));
    const response = await fetch(`${baseUrl()}${link.pathname}${link.search}`);
    expect(response.status).toBe(404);
  });
});
