import { closest } from '../../src/catalog/closest.ts';
import { AtelierError } from '../../src/core/errors/atelier_error.ts';
import type { AnyTool } from '../../src/features/definitions/tool.ts';
import { LIST_PRICES } from '../../src/features/operator/prices/prices.ts';
import type { PipelineContext } from '../../src/pipeline/types.ts';
import { plainContext } from '../support/plain_context.ts';
import { FAKE_TOOLS } from './fake_tools.ts';
import { PICTURE } from './picture.ts';

/** A registered wallet with credits. */
export const WALLET = `0x${'a'.repeat(40)}`;

/** An Idempotency-Key that is taken. */
export const USED_KEY = 'used';

export interface FakeContext extends PipelineContext {
  /** What happened to holds, in order. */
  readonly money: string[];
}

/** Everything a call needs, kept in a few arrays. `side` is the width and height every opened picture claims. */
export function fakeContext({
  tools = FAKE_TOOLS,
  side = 1,
}: {
  tools?: readonly AnyTool[];
  side?: number;
} = {}): FakeContext {
  const money: string[] = [];
  const services = {
    catalogue: {
      tools,
      find: (name: string) => tools.find((tool) => tool.name === name),
      similar: (name: string) =>
        closest(
          name,
          tools.map((tool) => tool.name),
        ),
    },
    site: { publicUrl: 'http://atelier.test' },
    images: {
      open: async () => ({ bytes: PICTURE.bytes, format: 'png', width: side, height: side }),
    },
    results: { open: openResult },
    prices: LIST_PRICES,
    pixels: { run: async () => ({ bytes: new Uint8Array([1, 2, 3]) }) },
    ownership: { lockedAt: async () => undefined },
    receipts: { idOf: () => 'rcpt_test', sign: () => ({ id: 'rcpt_test', jws: 'a.b.c' }) },
    payments: {},
    wallets: {
      find: async () => undefined,
      isRegistered: async () => true,
      async hold(hold: { wallet: string }) {
        if (hold.wallet !== WALLET) throw new AtelierError('wallet_not_registered');
        money.push('hold');
        return hold;
      },
      settle: async () => money.push('settle'),
      release: async () => money.push('release'),
    },
  };
  return {
    ...plainContext(),
    services: services as unknown as PipelineContext['services'],
    answers: FAKE_ANSWERS as unknown as PipelineContext['answers'],
    deadlineMs: 30_000,
    jobDeadlineMs: 30_000,
    money,
  };
}

/** Knows one key, which was used for another body. */
const FAKE_ANSWERS = {
  claim: async ({ key }: { key: string }) => ({ state: key === USED_KEY ? 'reused' : 'claimed' }),
  write: async () => 'sha256',
  keep: async () => {},
  abandon: async () => {},
};

async function openResult(id: string) {
  if (id !== PICTURE.id) throw new AtelierError('result_not_found');
  return { bytes: new Uint8Array(PICTURE.bytes), contentType: 'image/png' };
}
