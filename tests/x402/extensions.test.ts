import { x402Client, x402HTTPClient } from '@x402/core/client';
import { ExactEvmScheme } from '@x402/evm';
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  findAcceptsObjectFromSignedOffer,
  type JWSSignedOffer,
  type JWSSignedReceipt,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt';
import {
  createSIWxClientHook,
  createSIWxPayload,
  encodeSIWxHeader,
  type SIWxSigner,
  wrapFetchWithSIWx,
} from '@x402/extensions/sign-in-with-x';
import { wrapFetchWithPayment } from '@x402/fetch';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { EXAMPLE_PNG_B64 } from '../../src/features/definitions/example_image.ts';
import { highestPrice } from '../../src/features/definitions/price.ts';
import { tools } from '../../src/features/tools.ts';
import { type FakeFacilitator, startFakeFacilitator } from '../support/fake_facilitator.ts';
import { forEachApp } from '../support/for_each_app.ts';
import type { TestApp } from '../support/open_test_app.ts';
import { bearer, newOwner } from '../support/owner.ts';
import { decoded, NETWORK, newPayer, v1, v2, X402_SETTINGS } from '../support/x402_payer.ts';

/** The extensions offer-and-receipt and sign-in-with-x from the outside; the package of the protocol is client and judge. */

const EXTENDED = { X402_EXTENSIONS: 'offer-receipt,sign-in-with-x' };
const SITE = 'http://atelier.test';
const TOOL_URL = `${SITE}/api/tools/save_asset`;

forEachApp((open) => {
  let facilitator: FakeFacilitator;
  let app: TestApp;
  beforeAll(async () => {
    facilitator = await startFakeFacilitator();
    app = await open({ ...X402_SETTINGS(facilitator.url), ...EXTENDED, PUBLIC_URL: SITE });
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
  const save = (wallet: string, headers: Record<string, string> = {}, key?: string) =>
    app.post('/api/tools/save_asset', noteOf(wallet, key), headers);
  const demandOf = async (wallet: string) => decoded((await save(wallet)).headers.get('payment-required'));
  const balanceOf = async (wallet: string) =>
    (await app.post('/api/tools/check_balance', { wallet })).body.balance;
  const viaApp = (async (input: string | URL | Request, init?: RequestInit) => {
    const response = await app.fetch(new Request(input, init));
    Object.defineProperty(response, 'url', { value: TOOL_URL });
    return response;
  }) as typeof fetch;
  const jsonBody = (body: object) => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

  describe('offers and receipts', () => {
    const asked: string[] = [];
    beforeEach(() => {
      asked.splice(0);
      // The package resolves did:web by https; everything else, such as the facilitator, is on the real network.
      const real = globalThis.fetch;
      vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
        if (!String(input).startsWith('https://atelier.test/')) return real(input, init);
        asked.push(input);
        return app.fetch(new Request(input.replace('https:', 'http:'), init));
      });
    });
    afterEach(() => vi.unstubAllGlobals());

    test('a 402 has a signed offer per payment option, verifiable with the DID document', async () => {
      const demand = await demandOf(newPayer().wallet);
      const offers = extractOffersFromPaymentRequired(demand) as JWSSignedOffer[];
      const verified = await Promise.all(offers.map((offer) => verifyOfferSignatureJWS(offer)));
      expect(verified.map(({ amount, network, resourceUrl }) => [amount, network, resourceUrl])).toEqual([
        ['100000', NETWORK, TOOL_URL],
      ]);
      expect(findAcceptsObjectFromSignedOffer(offers[0]!, demand.accepts)).toEqual(demand.accepts[0]);
      expect(asked).toEqual(['https://atelier.test/.well-known/did.json']);
    });

    test('a paid call has a signed receipt that matches its offer, identical on repeat', async () => {
      const payer = newPayer();
      const [offer] = decodeSignedOffers(extractOffersFromPaymentRequired(await demandOf(payer.wallet)));
      const payment = v2(await payer.pay());
      const first = await save(payer.wallet, payment);
      const receipt = extractReceiptFromResponse(first as unknown as Response) as JWSSignedReceipt;
      expect(await verifyReceiptSignatureJWS(receipt)).toMatchObject({
        payer: payer.wallet,
        network: NETWORK,
      });
      expect(verifyReceiptMatchesOffer(receipt, offer!, [payer.account.address])).toBe(true);
      const again = await save(payer.wallet, payment);
      expect(again.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
    });

    test('a version 1 payment has a receipt with the CAIP-2 name of the network', async () => {
      const payer = newPayer();
      const { headers } = await save(payer.wallet, v1(await payer.payV1()));
      const settlement = decoded(headers.get('x-payment-response'));
      const { receipt } = settlement.extensions['offer-receipt'].info;
      expect(settlement.network).toBe('base-sepolia');
      expect(await verifyReceiptSignatureJWS(receipt)).toHaveProperty('network', NETWORK);
    });

    test('over MCP the settlement contains the receipt', async () => {
      const payer = newPayer();
      const params = {
        name: 'save_asset',
        arguments: noteOf(payer.wallet),
        _meta: { 'x402/payment': await payer.pay() },
      };
      const { result } = (await app.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }))
        .body;
      const { extensions } = result._meta['x402/payment-response'];
      expect(await verifyReceiptSignatureJWS(extensions['offer-receipt'].info.receipt)).toHaveProperty(
        'payer',
        payer.wallet,
      );
    });

    test('a refused or uncollected payment has no receipt', async () => {
      const payer = newPayer();
      facilitator.fail('/settle', {
        kind: 'answer',
        status: 200,
        body: { success: false, errorReason: 'insufficient_funds', transaction: '', network: NETWORK },
      });
      const { status, headers } = await save(payer.wallet, v2(await payer.pay()));
      expect(status).toBe(402);
      expect(decoded(headers.get('payment-response'))).not.toHaveProperty('extensions');
    });

    test('the DID document contains the keys of the JWK Set', async () => {
      const [{ keys }, did] = [
        (await app.get('/.well-known/jwks.json')).body,
        (await app.get('/.well-known/did.json')).body,
      ];
      expect(did.id).toBe('did:web:atelier.test');
      expect(did.verificationMethod.map((one: { publicKeyJwk: object }) => one.publicKeyJwk)).toEqual(keys);
      expect(did.assertionMethod).toEqual(keys.map(({ kid }: { kid: string }) => `${did.id}#${kid}`));
    });

    test('the directory listing names the extensions', async () => {
      expect((await app.get('/.well-known/x402')).body.extensions).toEqual([
        'bazaar',
        'offer-receipt',
        'sign-in-with-x',
      ]);
    });
  });

  describe('a sign-in', () => {
    type Payer = ReturnType<typeof newPayer>;
    const registered = async () => {
      const payer = newPayer();
      await app.post('/api/wallet/register', { wallet: payer.wallet });
      return payer;
    };
    const signed = async ({ wallet, account }: Payer, change: object = {}) => {
      const { info, supportedChains } = (await demandOf(wallet)).extensions['sign-in-with-x'];
      const payload = await createSIWxPayload(
        { ...info, ...supportedChains[0] },
        account as SIWxSigner,
        TOOL_URL,
      );
      return { 'SIGN-IN-WITH-X': encodeSIWxHeader({ ...payload, ...change }) };
    };

    test('by the protocol client pays from the credits of the wallet', async () => {
      const payer = await registered();
      const signing = wrapFetchWithSIWx(viaApp, payer.account as SIWxSigner);
      const response = await signing(TOOL_URL, jsonBody(noteOf(payer.wallet)));
      expect(response.status).toBe(200);
      expect(await response.json()).toHaveProperty(
        'payment',
        expect.objectContaining({ method: 'credits', wallet: payer.wallet }),
      );
      expect(await balanceOf(payer.wallet)).toBe(9.05);
      expect(facilitator.requests).toEqual([]);
    });

    test('for a wallet without credits leaves the client to pay by x402', async () => {
      const payer = newPayer();
      const client = new x402Client().register(NETWORK, new ExactEvmScheme(payer.account));
      const http = new x402HTTPClient(client).onPaymentRequired(
        createSIWxClientHook(payer.account as SIWxSigner),
      );
      const seen: (string | null)[] = [];
      const watched = (async (input: Request) => {
        seen.push(input.headers.get('sign-in-with-x') && 'signed');
        return viaApp(input);
      }) as typeof fetch;
      const response = await wrapFetchWithPayment(watched, http)(TOOL_URL, jsonBody(noteOf(payer.wallet)));
      expect(response.status).toBe(200);
      expect(await response.json()).toHaveProperty(
        'payment',
        expect.objectContaining({ method: 'x402', wallet: payer.wallet }),
      );
      expect(seen).toContain('signed');
    });

    test('pays once; a repeat is refused with a fresh challenge and no charge', async () => {
      const payer = await registered();
      const headers = await signed(payer);
      expect((await save(payer.wallet, headers)).status).toBe(200);
      const { status, body, headers: answered } = await save(payer.wallet, headers, 'other');
      expect({ status, code: body.code, reason: body.reason }).toEqual({
        status: 402,
        code: 'sign_in_refused',
        reason: 'invalid_siwx_nonce',
      });
      const { nonce } = decoded(answered.get('payment-required')).extensions['sign-in-with-x'].info;
      expect(JSON.parse(atob(headers['SIGN-IN-WITH-X'])).nonce).not.toBe(nonce);
      expect(await balanceOf(payer.wallet)).toBe(9.05);
    });

    test('for one tool is refused for another', async () => {
      const payer = await registered();
      const call = { image: EXAMPLE_PNG_B64 };
      const { body } = await app.post('/api/tools/upscale_image', call, await signed(payer));
      expect([body.code, body.reason]).toEqual(['sign_in_refused', 'invalid_siwx_uri_mismatch']);
      expect(await balanceOf(payer.wallet)).toBe(10);
    });

    test.each([
      ['of another signer', { address: newPayer().account.address }, 'invalid_siwx_signature'],
      ['for another domain', { domain: 'evil.test' }, 'invalid_siwx_domain_mismatch'],
      ['for another server', { uri: 'http://evil.test/api/tools/save_asset' }, 'invalid_siwx_uri_mismatch'],
      ['that lasts longer', { expirationTime: '2999-01-01T00:00:00.000Z' }, 'invalid_siwx_expiration_time'],
    ])('%s is refused with the reason and no charge', async (_what, change, reason) => {
      const payer = await registered();
      const { status, body } = await save(payer.wallet, await signed(payer, change));
      expect({ status, reason: body.reason }).toEqual({ status: 402, reason });
      expect(await balanceOf(payer.wallet)).toBe(10);
    });

    test.each(['none', btoa('{}'), 'A'.repeat(100_000)])(
      'that is malformed is refused (%.20s)',
      async (text) => {
        const { status, body } = await save(newPayer().wallet, { 'SIGN-IN-WITH-X': text });
        expect({ status, reason: body.reason }).toEqual({ status: 402, reason: 'invalid_siwx_header' });
        expect(body.detail).toContain('You were not charged.');
      },
    );

    test('unlocks a locked wallet for its call, unlike the address alone', async () => {
      const owner = await newOwner(app);
      await app.post('/api/wallet/lock', {}, await owner.signIn());
      const bare = await save(owner.wallet, owner.bare);
      const { status } = await save(owner.wallet, await signed({ ...newPayer(), ...owner }));
      expect([bare.status, status]).toEqual([401, 200]);
    });

    test('with the bearer token of another wallet is refused', async () => {
      const payer = await registered();
      const headers = { ...bearer(newPayer().wallet), ...(await signed(payer)) };
      expect((await save(payer.wallet, headers)).body.code).toBe('wallet_mismatch');
      expect(await balanceOf(payer.wallet)).toBe(10);
    });

    test('is not used up by a free tool or a dry run', async () => {
      const payer = await registered();
      const headers = await signed(payer);
      await app.post('/api/tools/search_tools', { query: 'resize' }, headers);
      await app.post('/api/tools/save_asset', { ...noteOf(payer.wallet), dry_run: true }, headers);
      expect((await save(payer.wallet, headers)).status).toBe(200);
    });
  });

  test('without a configured address neither extension is offered, and a sign-in is ignored', async () => {
    const plain = await open({ ...X402_SETTINGS(facilitator.url), ...EXTENDED });
    const { headers } = await plain.post('/api/tools/save_asset', noteOf(newPayer().wallet), {
      'SIGN-IN-WITH-X': 'none',
    });
    expect(Object.keys(decoded(headers.get('payment-required')).extensions)).toEqual(['bazaar']);
    expect((await plain.get('/.well-known/x402')).body.extensions).toEqual(['bazaar']);
    await plain.close();
  });

  test.each([
    ['eip155:8453', ['bazaar', 'sign-in-with-x', 'offer-receipt']],
    ['eip155:8453,eip155:84532', ['bazaar', 'sign-in-with-x', 'offer-receipt']],
    ['eip155:8453,eip155:84532,eip155:137,eip155:43114', ['bazaar', 'sign-in-with-x']],
  ])('the header is at most 12 kB on %s, with as many extensions as fit', async (networks, fit) => {
    const captures = { X402_CAPTURE_AUTHORIZER: `0x${'c1'.repeat(20)}`, X402_NETWORKS: networks };
    const many = await open({
      ...X402_SETTINGS(facilitator.url),
      ...captures,
      ...EXTENDED,
      PUBLIC_URL: SITE,
    });
    const paid = tools.filter(({ price }) => price.kind !== 'steps' && highestPrice(price) > 0);
    for (const { name } of paid) {
      const sent = (await many.post(`/api/tools/${name}`, {})).headers.get('payment-required')!;
      expect(sent.length).toBeLessThanOrEqual(12_000);
      expect(Object.keys(decoded(sent).extensions)).toEqual(fit);
    }
    expect(paid.length).toBeGreaterThan(5);
    await many.close();
  });

  test('extensions are offered only where they are enabled', async () => {
    const off = { ...X402_SETTINGS(facilitator.url), PUBLIC_URL: SITE };
    const plain = await open(off);
    const { headers } = await plain.post('/api/tools/save_asset', noteOf(newPayer().wallet));
    expect(Object.keys(decoded(headers.get('payment-required')).extensions)).toEqual(['bazaar']);
    await plain.close();
  });
});
