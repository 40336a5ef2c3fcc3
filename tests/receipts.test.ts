import { execFile } from 'node:child_process';
import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forEachApp } from './support/for_each_app.ts';
import type { TestApp, TestReply } from './support/open_test_app.ts';
import { bearer, newOwner, type Owner } from './support/owner.ts';

/** Signed receipts from the outside, checked by the script we give to others. */

const SCRIPT = resolve(import.meta.dirname, '../docs/verify-receipt.mjs');
const part = (jws: string, at: number) =>
  JSON.parse(Buffer.from(jws.split('.')[at]!, 'base64url').toString());

forEachApp((open) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-receipts-'));
  let app: TestApp;
  let owner: Owner;
  let jwks: TestReply;
  let paid: TestReply;
  const save = (headers: Record<string, string>, key = 'note') =>
    app.post('/api/tools/save_asset', { wallet: owner.wallet, key, data: 'aGVsbG8=' }, headers);

  beforeAll(async () => {
    app = await open();
    owner = await newOwner(app);
    jwks = await app.get('/.well-known/jwks.json');
    paid = await save({ ...owner.bare, 'Idempotency-Key': 'first' });
  });
  afterAll(async () => {
    await app?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs the script; answers the claims, or what it says against the receipt. */
  async function check(text: string, keys = jwks.text): Promise<Record<string, unknown> | string> {
    writeFileSync(join(folder, 'jwks.json'), keys);
    writeFileSync(join(folder, 'answer.json'), text);
    const files = ['jwks.json', 'answer.json'].map((name) => join(folder, name));
    return promisify(execFile)(process.execPath, [SCRIPT, ...files]).then(
      ({ stdout }) => JSON.parse(stdout),
      ({ stderr }) => stderr,
    );
  }

  test('for a revoked key only earlier signatures count, and none for a stolen one', async () => {
    const { iat } = part(paid.body.payment.receipt, 1);
    const after = async (revoked_at: number, reason: string) => {
      const keys = jwks.body.keys.map((key: object) => ({ ...key, revoked: { revoked_at, reason } }));
      return check(paid.text, JSON.stringify({ keys }));
    };
    expect(await after(iat + 10, 'superseded')).toMatchObject({ iat });
    expect(await after(iat - 10, 'superseded')).toMatch(/NOT VALID.*before this was signed/);
    expect(await after(iat + 10, 'compromised')).toMatch(/NOT VALID.*was stolen/);
  });

  test('contains the tool, the payer, the price and the hash of the response', async () => {
    const { payment, cost } = paid.body;
    const { receipt, receipt_id, ...rest } = payment;
    const bytes = paid.text.replace(receipt, '');
    expect(await check(paid.text)).toEqual({
      iss: 'http://atelier.test',
      iat: expect.closeTo(Date.now() / 1000, -2),
      jti: receipt_id,
      sub: owner.wallet,
      tool: 'save_asset',
      cost,
      payment: rest,
      answer_sha256: createHash('sha256').update(bytes).digest('hex'),
    });
  });

  test('a retry has the same receipt, the next call another', async () => {
    const again = await save({ ...owner.bare, 'Idempotency-Key': 'first' });
    const next = await save(owner.bare);
    expect(again.text).toBe(paid.text);
    expect(next.body.payment.receipt_id).not.toBe(paid.body.payment.receipt_id);
    expect(await check(next.text)).toMatchObject({ jti: next.body.payment.receipt_id });
  });

  test('over MCP, the receipt covers the first text block', async () => {
    const args = { wallet: owner.wallet, key: 'mcp', data: 'aGVsbG8=' };
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'save_asset', arguments: args },
    };
    const { result } = (await app.post('/mcp', message, owner.bare)).body;
    const receipt = result._meta['io.github.atelier/receipt'];
    const [{ text }] = result.content;
    expect(await check(receipt)).toMatchObject({
      tool: 'save_asset',
      answer_sha256: createHash('sha256').update(text).digest('hex'),
    });
    expect(text).not.toContain(receipt);
  });

  test('a free call, a dry run and a refused call have none', async () => {
    const free = await app.post('/api/tools/list_assets', { wallet: owner.wallet }, owner.bare);
    const dry = await app.post(
      '/api/tools/save_asset',
      { wallet: owner.wallet, key: 'k', data: 'aGk=', dry_run: true },
      owner.bare,
    );
    expect([free.body.payment, dry.body.payment]).toEqual([undefined, undefined]);
  });

  describe('is found out when', () => {
    const forged = (change: (claims: Record<string, unknown>) => object, header = {}) => {
      const { receipt } = paid.body.payment;
      const [h, c] = [{ ...part(receipt, 0), ...header }, change(part(receipt, 1))];
      const signed = [h, c].map((item) => Buffer.from(JSON.stringify(item)).toString('base64url')).join('.');
      return { signed, signature: receipt.split('.')[2] };
    };
    test.each(['tool', 'jti', 'iat', 'sub', 'cost', 'payment', 'answer_sha256', 'iss'])(
      'its %s is changed',
      async (claim) => {
        const { signed, signature } = forged((claims) => ({ ...claims, [claim]: 'another' }));
        expect(await check(`${signed}.${signature}`)).toContain('The signature does not fit');
      },
    );
    test('another key signs it under the id of our key', async () => {
      const { signed } = forged((claims) => claims);
      const { privateKey } = generateKeyPairSync('ed25519');
      const signature = sign(null, Buffer.from(signed), privateKey).toString('base64url');
      expect(await check(`${signed}.${signature}`)).toContain('The signature does not fit');
    });
    test.each([
      ['none', 'its header names another kind'],
      ['HS256', 'its header names another kind'],
    ])('its header claims alg %s', async (alg, said) => {
      const { signed } = forged((claims) => claims, { alg });
      expect(await check(`${signed}.`)).toContain(said);
    });
    test('it names a missing key', async () => {
      expect(await check(paid.text, '{"keys": []}')).toContain('does not have');
    });
    test('one byte of the response is changed', async () => {
      expect(await check(paid.text.replace('"size_bytes":5', '"size_bytes":6'))).toContain(
        'the bytes differ',
      );
    });
    test('the receipt of another response is inserted', async () => {
      const other = await save(owner.bare, 'other');
      const swapped = paid.text.replace(paid.body.payment.receipt, other.body.payment.receipt);
      expect(await check(swapped)).toContain('the bytes differ');
    });
  });

  test('the keys are public, and nothing private is among them', () => {
    const { keys } = jwks.body;
    expect(Object.keys(keys[0]).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
    expect(createPublicKey({ key: keys[0], format: 'jwk' }).asymmetricKeyType).toBe('ed25519');
  });

  describe('afterwards', () => {
    const find = (id: string, headers: Record<string, string> = {}, query = `?wallet=${owner.wallet}`) =>
      app.get(`/api/wallet/receipts/${id}${query}`, headers);

    test('the statement names it in JSON and CSV, and it can be fetched as it was', async () => {
      const { receipt_id: id, receipt } = paid.body.payment;
      const statement = await app.get(`/api/wallet/statement?wallet=${owner.wallet}`);
      const csv = await app.get(`/api/wallet/statement?wallet=${owner.wallet}&format=csv`);
      // biome-ignore lint/suspicious/noExplicitAny: rows of an answer
      const types = statement.body.entries.map((entry: any) => [entry.type, entry.receipt_id !== null]);
      expect(new Set(types.map(String))).toEqual(
        new Set(['tool_call,true', 'credit_back,true', 'welcome_bonus,false']),
      );
      expect(csv.text).toMatch(new RegExp(`,save_asset,-1,[\\d.]+,${id}\r\n`));
      expect((await find(id)).body).toMatchObject({ wallet: owner.wallet, receipt_id: id, receipt });
      expect(await check((await find(id)).text)).toMatchObject({ jti: id });
    });

    test.each([
      ['rcpt_unknown', 404, 'receipt_not_found'],
      ['no receipt', 400, 'invalid_input'],
      ['rcpt_%00', 400, 'invalid_input'],
    ])('%s answers %i', async (id, status, code) => {
      expect((await find(id)).body).toMatchObject({ status, code });
    });

    test('another wallet does not get it, and a locked wallet requires proof', async () => {
      const { receipt_id: id } = paid.body.payment;
      const other = await newOwner(app);
      expect((await find(id, {}, `?wallet=${other.wallet}`)).status).toBe(404);
      const session = await owner.signIn();
      await app.post('/api/wallet/lock', {}, session);
      expect((await find(id)).body.code).toBe('wallet_locked');
      expect((await find(id, bearer(other.wallet))).body.code).toBe('wallet_locked');
      expect((await find(id, session, '')).body.receipt_id).toBe(id);
    });
  });
});
