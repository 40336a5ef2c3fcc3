import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { EXAMPLE_PNG_B64 } from '../../src/features/definitions/example_image.ts';
import { type FakeFacilitator, startFakeFacilitator } from '../support/fake_facilitator.ts';
import { forEachApp } from '../support/for_each_app.ts';
import type { TestApp, TestReply } from '../support/open_test_app.ts';
import { bearer, newOwner } from '../support/owner.ts';
import {
  decoded,
  encoded,
  NETWORK,
  newPayer,
  PAY_TO,
  USDC,
  v1,
  v2,
  X402_SETTINGS,
} from '../support/x402_payer.ts';

/** Paying by x402 from the outside, over REST and MCP, on both databases, with a facilitator that has a chain of its own. */

forEachApp((open) => {
  let facilitator: FakeFacilitator;
  let app: TestApp;
  beforeAll(async () => {
    facilitator = await startFakeFacilitator();
    app = await open({ ...X402_SETTINGS(facilitator.url), EVM_RPC_URL: facilitator.rpcUrl });
  });
  afterAll(async () => {
    await app?.close();
    await facilitator?.close();
  });
  beforeEach(() => void facilitator.requests.splice(0));

  const noteOf = (wallet: string, key = 'note') => ({
    wallet,
    key,
    data: 'SGVsbG8=',
    content_type: 'text/plain',
  });
  const save = (wallet: string, headers: Record<string, string>, key?: string): Promise<TestReply> =>
    app.post('/api/tools/save_asset', noteOf(wallet, key), headers);
  const asked = (path: string) => facilitator.requests.filter((request) => request.path === path).length;
  const booked = async (wallet: string) =>
    facilitator.transfers.filter(({ payer }) => payer === wallet).length;
  async function mcp(
    args: object,
    meta: object = {},
    headers: Record<string, string> = {},
    name = 'save_asset',
  ) {
    const params = { name, arguments: args, _meta: meta };
    return (await app.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers)).body
      .result;
  }
  const keysOf = async (wallet: string): Promise<string[]> =>
    (await app.post('/api/tools/list_assets', { wallet })).body.assets.map(({ key }: { key: string }) => key);
  afterAll(async () => {
    expect((await app.get('/api/ledger/invariants')).body).toMatchObject({ balanced: true, problems: [] });
  });

  test('a job cannot be paid by x402: 402 with an explanation, no facilitator request', async () => {
    const payer = newPayer();
    const headers = { ...v2(await payer.pay()), Prefer: 'respond-async' };
    const { status, body } = await save(payer.wallet, headers);
    expect({ status, code: body.code }).toEqual({ status: 402, code: 'payment_required' });
    expect(body.detail).toContain('credits only');
    expect(asked('/verify')).toBe(0);
    expect((await save(payer.wallet, v2(await payer.pay()))).status).toBe(200);
  });

  describe('the 402', () => {
    const requirement = {
      scheme: 'exact',
      network: NETWORK,
      asset: USDC,
      payTo: PAY_TO,
      maxTimeoutSeconds: 300,
      extra: { name: 'USDC', version: '2' },
    };

    test('states the requirements by header in version 2 and in the body in version 1', async () => {
      const { status, headers, body } = await save(newPayer().wallet, {});
      expect({ status, code: body.code }).toEqual({ status: 402, code: 'payment_required' });
      expect(decoded(headers.get('payment-required'))).toEqual({
        x402Version: 2,
        error: body.detail,
        resource: {
          url: 'http://atelier.test/api/tools/save_asset',
          description: expect.stringContaining('Store a file'),
          mimeType: 'application/json',
        },
        accepts: [{ ...requirement, amount: '100000' }],
        extensions: {
          bazaar: expect.objectContaining({
            info: expect.objectContaining({
              input: expect.objectContaining({ method: 'POST', bodyType: 'json' }),
            }),
          }),
        },
      });
      expect(body.x402Version).toBe(1);
      expect(body.error).toBe(body.detail);
      expect(body.accepts).toEqual([
        {
          ...requirement,
          network: 'base-sepolia',
          maxAmountRequired: '100000',
          resource: 'http://atelier.test/api/tools/save_asset',
          description: expect.stringContaining('Store a file'),
          mimeType: 'application/json',
        },
      ]);
      expect(body.payment_options).toContainEqual(expect.objectContaining({ type: 'x402' }));
    });

    test('for a wallet without credits states the same requirements', async () => {
      const { wallet } = newPayer();
      const { body, headers } = await save(wallet, bearer(wallet));
      expect(body.code).toBe('wallet_not_registered');
      expect(decoded(headers.get('payment-required')).accepts).toHaveLength(1);
    });

    test('is readable by cross-origin pages', async () => {
      const { headers } = await save(newPayer().wallet, { Origin: 'http://localhost:3000' });
      expect(headers.get('access-control-expose-headers')).toContain('PAYMENT-REQUIRED');
    });
  });

  describe('a payment', () => {
    test('of version 2 pays, and the response reports the settlement', async () => {
      const payer = newPayer();
      const { status, headers, body } = await save(payer.wallet, v2(await payer.pay()));
      expect(status).toBe(200);
      const [transfer] = facilitator.transfers.slice(-1);
      expect(decoded(headers.get('payment-response'))).toEqual({
        success: true,
        transaction: transfer!.transaction,
        network: NETWORK,
        payer: payer.wallet,
      });
      expect(headers.get('x-payment-response')).toBeNull();
      expect(transfer).toMatchObject({ payer: payer.wallet, to: PAY_TO.toLowerCase(), value: '100000' });
      expect(body.payment).toMatchObject({
        method: 'x402',
        wallet: payer.wallet,
        amount: '100000',
        credit_back: 0,
      });
      expect(body.cost).toMatchObject({ credit: 1, usd: 0.1 });
    });

    test('has a signed receipt that its payer can retrieve', async () => {
      const payer = newPayer();
      const { body } = await save(payer.wallet, v2(await payer.pay()));
      const { receipt_id: id, receipt } = body.payment;
      const claims = JSON.parse(Buffer.from(receipt.split('.')[1], 'base64url').toString());
      expect(claims).toMatchObject({
        jti: id,
        sub: payer.wallet,
        payment: { method: 'x402', amount: '100000' },
      });
      const kept = await app.get(`/api/wallet/receipts/${id}?wallet=${payer.wallet}`);
      expect(kept.body).toMatchObject({ receipt_id: id, receipt });
    });

    test('returns the documented response shape', async () => {
      const payer = newPayer();
      const { body } = await save(payer.wallet, v2(await payer.pay()));
      const { output_schema } = (
        await app.post('/api/tools/get_tool_schema', { tool_name: 'save_asset', detail: 'full' })
      ).body;
      expect(z.fromJSONSchema(output_schema).safeParse(body).error).toBeUndefined();
    });

    test('of version 1 pays', async () => {
      const payer = newPayer();
      const { status, headers } = await save(payer.wallet, v1(await payer.payV1()));
      expect(status).toBe(200);
      expect(decoded(headers.get('x-payment-response'))).toMatchObject({
        success: true,
        network: 'base-sepolia',
      });
      expect(headers.get('payment-response')).toBeNull();
      expect(facilitator.requests.map(({ body }) => body.x402Version)).toEqual([1, 1]);
    });

    test('is verified before the call runs and settled after it', async () => {
      const payer = newPayer();
      await save(payer.wallet, v2(await payer.pay()));
      expect(facilitator.requests.map(({ path }) => path)).toEqual(['/verify', '/settle']);
      expect(facilitator.requests[0]!.body.paymentRequirements).toMatchObject({
        amount: '100000',
        payTo: PAY_TO,
      });
    });

    test('pays over MCP, with the settlement in _meta', async () => {
      const payer = newPayer();
      const unpaid = await mcp(noteOf(payer.wallet));
      expect(unpaid).toMatchObject({
        isError: true,
        structuredContent: { x402Version: 2, code: 'payment_required' },
      });
      expect(unpaid.structuredContent.accepts[0]).toMatchObject({ network: NETWORK, amount: '100000' });
      expect(unpaid.structuredContent.resource.url).toContain('/api/tools/save_asset');
      expect(JSON.parse(unpaid.content[0].text)).toEqual(unpaid.structuredContent);
      const paid = await mcp(noteOf(payer.wallet), { 'x402/payment': await payer.pay() });
      expect(paid.isError).toBeUndefined();
      expect(paid._meta['x402/payment-response']).toMatchObject({ success: true, payer: payer.wallet });
    });

    test('earns the credit-back once the payer has a registered wallet', async () => {
      const owner = newPayer();
      await app.post('/api/wallet/register', { wallet: owner.wallet });
      const { body } = await save(owner.wallet, v2(await owner.pay()));
      expect(body.payment.credit_back).toBe(0.05);
      const balance = (await app.post('/api/tools/check_balance', { wallet: owner.wallet })).body;
      expect(balance).toMatchObject({ balance: 10.05, totals: { spent: 0, credit_back: 0.05 } });
    });

    test('leaves the credits of a bearer wallet untouched', async () => {
      const owner = newPayer();
      await app.post('/api/wallet/register', { wallet: owner.wallet });
      await save(owner.wallet, { ...bearer(owner.wallet), ...v2(await owner.pay()) });
      expect((await app.post('/api/tools/check_balance', { wallet: owner.wallet })).body.totals.spent).toBe(
        0,
      );
    });

    test('is not used up by a free tool or a dry run', async () => {
      const payer = newPayer();
      const headers = v2(await payer.pay());
      await app.post('/api/tools/search_tools', { query: 'resize' }, headers);
      const { body } = await app.post(
        '/api/tools/save_asset',
        { ...noteOf(payer.wallet), dry_run: true },
        headers,
      );
      expect(body.checks).toContainEqual(expect.objectContaining({ check: 'payer', state: 'at_run' }));
      expect(body.quote).not.toHaveProperty('balance_after');
      expect(facilitator.requests).toEqual([]);
    });

    test('that is malformed fails its check of the dry run, which still responds', async () => {
      const { wallet } = newPayer();
      const headers = { 'X-PAYMENT': 'none' };
      const { body } = await app.post('/api/tools/save_asset', { ...noteOf(wallet), dry_run: true }, headers);
      expect(body.checks).toContainEqual(expect.objectContaining({ check: 'payer', state: 'failed' }));
    });

    test('does not unlock a locked wallet', async () => {
      const owner = await newOwner(app);
      await app.post('/api/wallet/lock', {}, await owner.signIn());
      const payer = { ...newPayer(), wallet: owner.wallet };
      const { status, body } = await save(payer.wallet, v2(await newPayer().pay()));
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'wallet_locked' });
      expect(facilitator.requests).toEqual([]);
    });

    test('of one wallet cannot save into another', async () => {
      const { status, body } = await save(newPayer().wallet, v2(await newPayer().pay()));
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'wallet_mismatch' });
      expect(asked('/settle')).toBe(0);
    });
  });

  describe('payments refused without the facilitator', () => {
    const payer = newPayer();
    const nowS = () => Math.floor(Date.now() / 1000);
    const elsewhere = `0x${'1'.repeat(40)}`;
    const REFUSED: [what: string, payment: () => Promise<object>, detail: RegExp][] = [
      [
        'another network',
        () => payer.pay({ chainId: 8453 }, { network: 'eip155:8453' }),
        /network "eip155:8453"/,
      ],
      ['another asset', () => payer.pay({ asset: elsewhere }, { asset: elsewhere }), /pays with 0x1111/],
      ['another payTo', () => payer.pay({ to: elsewhere }), /pays 0x1111/],
      ['another payTo in its terms', () => payer.pay({}, { payTo: elsewhere }), /the required recipient is/],
      ['too little', () => payer.pay({ value: '99999' }, { amount: '99999' }), /for 99999.*exactly 100000/],
      ['too much', () => payer.pay({ value: '100001' }, { amount: '100001' }), /exactly 100000/],
      ['a value that is not its terms', () => payer.pay({ value: '99999' }), /for 99999/],
      ['terms that are not its value', () => payer.pay({}, { amount: '1' }), /for 1,/],
      ['an expired authorization', () => payer.pay({ validBefore: String(nowS() - 1) }), /expired/],
      ['one about to expire', () => payer.pay({ validBefore: String(nowS() + 3) }), /about to/],
      ['one not valid yet', () => payer.pay({ validAfter: String(nowS() + 100) }), /validAfter/],
      ['one that never ends', () => payer.pay({ validBefore: (2n ** 256n - 1n).toString() }), /days ahead/],
      ['another scheme', () => payer.pay({}, { scheme: 'upto' }), /scheme is "upto"/],
      ['a signature for another chain', () => payer.pay({ chainId: 1 }), /signature/],
      ['a signature for another token name', () => payer.pay({ name: 'USD Coin' }), /signature/],
      [
        'the signature of another wallet',
        async () => {
          const { signature } = await newPayer().signed();
          const payment = await payer.pay();
          return { ...payment, payload: { ...payment.payload, signature } };
        },
        /signature is not that of/,
      ],
      [
        'an amount raised after signing',
        async () => {
          const payment = await payer.pay({ value: '1' });
          return {
            ...payment,
            payload: {
              ...payment.payload,
              authorization: { ...payment.payload.authorization, value: '100000' },
            },
          };
        },
        /signature is not that of/,
      ],
      [
        'version 1 on a network it cannot name',
        () => payer.payV1({}, 'ethereum'),
        /network "ethereum".*base-sepolia/,
      ],
    ];
    test.each(REFUSED)(
      '%s: 402 with fresh requirements and no facilitator request',
      async (_what, make, detail) => {
        const payment = await make();
        const headers = 'accepted' in payment ? v2(payment) : v1(payment);
        const { status, body, headers: answered } = await save(payer.wallet, headers);
        expect({ status, code: body.code }).toEqual({ status: 402, code: 'payment_refused' });
        expect(body.detail).toMatch(detail);
        expect(decoded(answered.get('payment-required')).accepts[0].amount).toBe('100000');
        expect(facilitator.requests).toEqual([]);
      },
    );

    const good = async () => payer.pay();
    const MALFORMED: [what: string, header: () => Promise<string>][] = [
      ['no base64', async () => 'not base64!'],
      ['base64 of no JSON', async () => Buffer.from('hello').toString('base64')],
      ['cut off', async () => encoded(await good()).slice(0, 100)],
      ['a JSON null', async () => encoded(null as never)],
      ['a list', async () => encoded([])],
      ['no version', async () => encoded({ ...(await good()), x402Version: undefined })],
      ['version 3', async () => encoded({ ...(await good()), x402Version: 3 })],
      ['version 2 without terms', async () => encoded({ ...(await good()), accepted: undefined })],
      [
        'no authorization',
        async () => encoded({ ...(await good()), payload: { signature: `0x${'0'.repeat(130)}` } }),
      ],
      ['a negative value', async () => encoded(await withField('value', '-100000'))],
      ['a fraction', async () => encoded(await withField('value', '100000.5'))],
      ['a number instead of a string', async () => encoded(await withField('value', 100000))],
      ['a value beyond 256 bits', async () => encoded(await withField('value', '9'.repeat(79)))],
      ['a short nonce', async () => encoded(await withField('nonce', '0x00'))],
      ['a wrong address', async () => encoded(await withField('from', '0x12'))],
      [
        '12 KB of signature',
        async () =>
          encoded({
            ...(await good()),
            payload: { ...(await good()).payload, signature: `0x${'00'.repeat(5000)}` },
          }),
      ],
    ];
    async function withField(name: string, value: unknown) {
      const { payload, ...rest } = await good();
      return { ...rest, payload: { ...payload, authorization: { ...payload.authorization, [name]: value } } };
    }
    test.each(MALFORMED)('%s: 400 in either header', async (_what, header) => {
      const text = await header();
      for (const name of ['PAYMENT-SIGNATURE', 'X-PAYMENT']) {
        const { status, body } = await save(payer.wallet, { [name]: text });
        expect({ status, code: body.code }).toEqual({ status: 400, code: 'payment_malformed' });
      }
      expect(facilitator.requests).toEqual([]);
    });

    test.each([[null], [1], ['x'], [[]], [{}]])('over MCP %j is not a payment', async (payment) => {
      const result = await mcp(noteOf(payer.wallet), { 'x402/payment': payment });
      expect(result).toMatchObject({ isError: true });
      expect(result.structuredContent.code).toMatch(/^payment_(malformed|required)$/);
    });
  });

  describe('a failed call', () => {
    test('is never settled, and its payment pays for the next call', async () => {
      const payer = newPayer();
      const payment = v2(await payer.pay());
      const failed = await save(newPayer().wallet, payment);
      expect(failed.status).toBe(403);
      expect(asked('/settle')).toBe(0);
      expect((await save(payer.wallet, payment)).status).toBe(200);
      expect(await booked(payer.wallet)).toBe(1);
    });

    test('with invalid input uses no payment', async () => {
      const payer = newPayer();
      const { status } = await app.post(
        '/api/tools/save_asset',
        { wallet: payer.wallet },
        v2(await payer.pay()),
      );
      expect(status).toBe(400);
      expect(facilitator.requests).toEqual([]);
    });
  });

  describe('a payment pays once', () => {
    test('and a repeat gets the same bytes, also with different JSON', async () => {
      const payer = newPayer();
      const payment = await payer.pay();
      const first = await save(payer.wallet, v2(payment));
      const again = await save(
        payer.wallet,
        v2({ ...payment, accepted: { ...payment.accepted, extra: {} } }),
      );
      expect(again.text).toBe(first.text);
      expect(again.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
      expect(asked('/settle')).toBe(1);
    });

    test('and not again for another body', async () => {
      const payer = newPayer();
      const payment = v2(await payer.pay());
      await save(payer.wallet, payment);
      const { status, body, headers } = await save(payer.wallet, payment, 'other');
      expect({ status, code: body.code }).toEqual({ status: 402, code: 'payment_used' });
      expect(decoded(headers.get('payment-required')).accepts).toHaveLength(1);
      expect(await keysOf(payer.wallet)).toEqual(['note']);
    });

    test('and not again for another tool, over REST or MCP', async () => {
      const payer = newPayer();
      const payment = await payer.pay();
      await save(payer.wallet, v2(payment));
      const other = { image: EXAMPLE_PNG_B64, metadata: { title: 'A sun' } };
      const overRest = await app.post('/api/tools/infuse_metadata', other, v2(payment));
      expect({ status: overRest.status, code: overRest.body.code }).toEqual({
        status: 402,
        code: 'payment_used',
      });
      const overMcp = await mcp(other, { 'x402/payment': payment }, {}, 'infuse_metadata');
      expect(overMcp).toMatchObject({ isError: true, structuredContent: { code: 'payment_used' } });
      expect(await booked(payer.wallet)).toBe(1);
    });

    test('and not again under another Idempotency-Key, over MCP or in version 1', async () => {
      const payer = newPayer();
      const { payload, ...rest } = await payer.pay();
      await save(payer.wallet, v2({ ...rest, payload }));
      const asV1 = v1({ x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload });
      const other = await save(payer.wallet, { ...asV1, 'Idempotency-Key': 'second' }, 'other');
      expect(other.body.code).toBe('payment_used');
      const overMcp = await mcp(noteOf(payer.wallet, 'third'), { 'x402/payment': { ...rest, payload } });
      expect(overMcp.structuredContent.code).toBe('payment_used');
      expect(await keysOf(payer.wallet)).toEqual(['note']);
      expect(await booked(payer.wallet)).toBe(1);
    });

    test.each([
      ['for the same call', () => 'note'],
      ['each for another call', (at: number) => `note-${at}`],
    ])('when sent twenty times concurrently, %s', async (_what, keyAt) => {
      const payer = newPayer();
      const payment = v2(await payer.pay());
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, at) => save(payer.wallet, payment, keyAt(at))),
      );
      const bodies = new Set(replies.filter(({ status }) => status === 200).map(({ text }) => text));
      expect(bodies.size).toBe(1);
      expect(
        replies.map(({ status }) => status).filter((status) => ![200, 402, 409].includes(status)),
      ).toEqual([]);
      expect(await keysOf(payer.wallet)).toHaveLength(1);
      expect(await booked(payer.wallet)).toBe(1);
    });

    test('when sent ten times concurrently under ten Idempotency-Keys', async () => {
      const payer = newPayer();
      const payment = v2(await payer.pay());
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          save(payer.wallet, { ...payment, 'Idempotency-Key': `k${at}` }),
        ),
      );
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await booked(payer.wallet)).toBe(1);
    });
  });

  describe('the facilitator', () => {
    const codeOf = ({ status, body }: TestReply) => ({ status, code: body.code });

    test('reports an invalid payment: 402 with the reason, and the payment can be resent', async () => {
      const payer = newPayer();
      facilitator.balances.set(payer.wallet, 0n);
      const payment = v2(await payer.pay());
      const poor = await save(payer.wallet, payment);
      expect(codeOf(poor)).toEqual({ status: 402, code: 'payment_refused' });
      expect(poor.body.detail).toContain('insufficient_funds');
      facilitator.balances.set(payer.wallet, 100_000n);
      expect((await save(payer.wallet, payment)).status).toBe(200);
    });

    test('decides on contract wallet signatures, which need the chain', async () => {
      const payer = newPayer();
      const payment = await payer.pay();
      const long = `0x${'ab'.repeat(200)}`;
      const { body } = await save(payer.wallet, {
        ...bearer(payer.wallet),
        ...v2({ ...payment, payload: { ...payment.payload, signature: long } }),
      });
      expect(body.detail).toContain('invalid_exact_evm_payload_signature');
    });

    test('refuses to settle: 402, no result, no booking and no retry', async () => {
      const payer = newPayer();
      const payment = v2(await payer.pay());
      const refusal = {
        success: false,
        errorReason: 'insufficient_funds',
        transaction: '',
        network: NETWORK,
      };
      facilitator.fail('/settle', { kind: 'answer', status: 200, body: refusal });
      const reply = await save(payer.wallet, payment);
      expect(codeOf(reply)).toEqual({ status: 402, code: 'payment_not_settled' });
      expect(reply.body).not.toHaveProperty('url');
      expect(decoded(reply.headers.get('payment-response'))).toEqual({ ...refusal, payer: payer.wallet });
      expect(decoded(reply.headers.get('payment-required')).accepts).toHaveLength(1);
      expect((await save(payer.wallet, payment)).body.code).toBe('payment_refused');
      expect(await booked(payer.wallet)).toBe(0);
    });

    test('settles with control characters in its response: booked without them', async () => {
      const payer = newPayer();
      const payment = v2(await payer.pay());
      const body = { success: true, transaction: '0xdone\0\r\n' };
      facilitator.fail('/settle', { kind: 'answer', status: 200, body });
      const reply = await save(payer.wallet, payment);
      expect(reply.status).toBe(200);
      expect(decoded(reply.headers.get('payment-response')).transaction).toBe('0xdone   ');
      expect(await keysOf(payer.wallet)).toEqual(['note']);
    });

    test('refuses with control characters in its reason: refused, nothing stored', async () => {
      const payer = newPayer();
      const body = { success: false, errorReason: 'no\0' };
      facilitator.fail('/settle', { kind: 'answer', status: 200, body });
      expect(codeOf(await save(payer.wallet, v2(await payer.pay())))).toEqual({
        status: 402,
        code: 'payment_not_settled',
      });
      expect(await keysOf(payer.wallet)).toEqual([]);
    });

    test('loses its reply after settling: the chain confirms one transfer, the result is returned', async () => {
      const payer = newPayer();
      facilitator.fail('/settle', { kind: 'lose_reply' });
      const reply = await save(payer.wallet, v2(await payer.pay()));
      expect(reply.status).toBe(200);
      expect(decoded(reply.headers.get('payment-response'))).toMatchObject({
        success: true,
        transaction: facilitator.transfers.at(-1)!.transaction,
      });
      expect(await booked(payer.wallet)).toBe(1);
    });

    test('loses its reply but remembers the settlement: the transaction is known', async () => {
      const payer = newPayer();
      facilitator.remembersSettlements = true;
      facilitator.fail('/settle', { kind: 'lose_reply' });
      const reply = await save(payer.wallet, v2(await payer.pay()));
      facilitator.remembersSettlements = false;
      expect(decoded(reply.headers.get('payment-response')).transaction).toMatch(/^0x0+\w+$/);
    });

    test('hangs up before settling: a retry settles', async () => {
      const payer = newPayer();
      facilitator.fail('/settle', { kind: 'hang_up' });
      expect((await save(payer.wallet, v2(await payer.pay()))).status).toBe(200);
      expect(await booked(payer.wallet)).toBe(1);
    });

    test.each([
      ['an error page', 500, '<html>'],
      ['its own fault', 500, { success: false, errorReason: 'unexpected_settle_error' }],
      ['success without a transaction', 200, { success: true }],
      ['a transaction that may still come', 200, { success: false, errorReason: 'x', transaction: '0x1' }],
    ])(
      'answers %s twice: 503, no second payment request, and the result once known',
      async (_what, status, body) => {
        const payer = newPayer();
        const payment = v2(await payer.pay());
        const answer = { kind: 'answer', status, body } as const;
        facilitator.fail('/settle', answer, answer);
        const unknown = await save(payer.wallet, payment);
        expect(codeOf(unknown)).toEqual({ status: 503, code: 'payment_unconfirmed' });
        expect(unknown.headers.get('payment-required')).toBeNull();
        expect(unknown.body).not.toHaveProperty('accepts');
        expect(unknown.headers.get('retry-after')).toBeTruthy();
        expect((await save(payer.wallet, payment, 'other')).body.code).toMatch(/payment_un|payment_used/);
        await expect
          .poll(async () => (await save(payer.wallet, payment)).status, {
            interval: 500,
          })
          .toBe(200);
        expect(await booked(payer.wallet)).toBe(1);
        expect(await keysOf(payer.wallet)).toEqual(['note']);
      },
    );

    test('is down: 503, and the payment is valid once it is up', async () => {
      const payer = newPayer();
      const payment = v2(await payer.pay());
      await facilitator.down();
      expect(codeOf(await save(payer.wallet, payment))).toEqual({
        status: 503,
        code: 'payment_check_failed',
      });
      await facilitator.up();
      expect((await save(payer.wallet, payment)).status).toBe(200);
    });

    test.each([
      ['garbage', 200, 'garbage'],
      ['another shape', 200, { ok: true }],
      ['too many requests', 429, {}],
      ['more than anybody reads', 200, JSON.stringify({ isValid: true, pad: 'x'.repeat(100_000) })],
    ])('answers verification with %s: 503 and no tool run', async (_what, status, body) => {
      const payer = newPayer();
      facilitator.fail('/verify', { kind: 'answer', status, body });
      expect(codeOf(await save(payer.wallet, v2(await payer.pay())))).toEqual({
        status: 503,
        code: 'payment_check_failed',
      });
      expect(await keysOf(payer.wallet)).toEqual([]);
    });

    test('names another payer: the payment is refused', async () => {
      const payer = newPayer();
      facilitator.fail('/verify', {
        kind: 'answer',
        status: 200,
        body: { isValid: true, payer: newPayer().wallet },
      });
      expect((await save(payer.wallet, v2(await payer.pay()))).body.code).toBe('payment_refused');
    });
  });
});
