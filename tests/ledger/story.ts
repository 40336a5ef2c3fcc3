import { test } from 'vitest';
import { HOLD_LIFETIME_MS } from '../../src/config/limits.ts';
import { AtelierError } from '../../src/core/errors/atelier_error.ts';
import type { Hold, Wallets } from '../../src/features/wallets/types.ts';
import { createWallets } from '../../src/features/wallets/wallets.ts';
import type { Open } from '../support/for_each_database.ts';

/**
 * A test of money that can be read without knowing how to program: a line is something that happens, and after the arrow
 * what must be true then. Amounts are credits; wallets are short names of addresses; a hold lasts 15 minutes.
 */
export function story(open: Open, title: string, lines: string): void {
  test(title, async () => {
    const teller = createTeller(await open());
    for (const line of lines
      .trim()
      .split('\n')
      .map((line) => line.trim())) {
      const [event, expected] = line.split('->').map((part) => part.trim());
      const facts = await teller(event!.split(/\s+/));
      const missing = expected
        ?.split(',')
        .map((fact) => fact.trim())
        .filter((fact) => !facts.includes(fact));
      if (missing?.length) throw new Error(`${line}\n  is not so. After it: ${facts.join(', ')}`);
    }
    const { balanced, problems } = await teller.audit();
    if (!balanced) throw new Error(`The books do not balance: ${problems.join('; ')}`);
  });
}

const START = Date.parse('2026-01-01T00:00:00Z');

function createTeller(database: Parameters<typeof createWallets>[0]) {
  let nowMs = START;
  const wallets = createWallets(database, () => new Date(nowMs));
  const calls = new Map<string, Hold>();
  const events: Record<string, (...words: string[]) => Promise<string[]>> = {
    register: async (wallet) => {
      const { alreadyRegistered } = await wallets.register(address(wallet!));
      return [
        alreadyRegistered ? 'already registered' : 'registered',
        ...(await state(wallets, address(wallet!))),
      ];
    },
    hold: async (wallet, credits, _call, number) => {
      const hold = {
        id: number!,
        wallet: address(wallet!),
        amount: millicredits(credits!),
        tool: 'upscale_image',
      };
      calls.set(number!, hold);
      return attempt(wallets, hold.wallet, () =>
        wallets.hold({ ...hold, expiresAt: new Date(nowMs + HOLD_LIFETIME_MS) }),
      );
    },
    settle: async (_call, number) => {
      const hold = calls.get(number!)!;
      return attempt(wallets, hold.wallet, () => wallets.settle(hold));
    },
    release: async (_call, number) => {
      const hold = calls.get(number!)!;
      return attempt(wallets, hold.wallet, () => wallets.release(hold));
    },
    wait: async (minutes) => {
      nowMs += Number(minutes) * 60_000;
      return [];
    },
    expire: async () => [`${await wallets.expireHolds(new Date(nowMs))} expired`],
    restart: async () => [`${await wallets.expireHolds(new Date(nowMs), true)} expired`],
    look: async (wallet) => state(wallets, address(wallet!)),
  };
  const tell = ([event, ...words]: string[]): Promise<string[]> => events[event!]!(...words);
  return Object.assign(tell, { audit: () => wallets.audit() });
}

async function attempt(wallets: Wallets, wallet: string, work: () => Promise<unknown>): Promise<string[]> {
  try {
    await work();
    return ['done', ...(await state(wallets, wallet))];
  } catch (error) {
    const reason =
      error instanceof AtelierError
        ? error.code
        : `refused: ${/(\w+)\.$/.exec((error as Error).message)?.[1]}`;
    return [reason, ...(await state(wallets, wallet))];
  }
}

async function state(wallets: Wallets, wallet: string): Promise<string[]> {
  const found = await wallets.find(wallet);
  if (!found) return ['not registered'];
  const { balance, available, held, totals } = found;
  return [
    ...Object.entries({ balance, available, held, spent: totals.spent, granted: totals.granted }),
    ['credit-back', totals.creditBack] as const,
  ].map(([name, amount]) => `${name} ${credits(amount)}`);
}

/** Two decimals, three where a thousandth counts. */
const credits = (amount: number): string => (amount / 1000).toFixed(amount % 10 === 0 ? 2 : 3);

/** `0xA` → `0xAAAA…`, so that upper and lower case are two ways to write one wallet. */
const address = (name: string): string => name.slice(0, 2) + name.slice(2).repeat(40).slice(0, 40);
const millicredits = (credits: string): number => Math.round(Number(credits) * 1000);
