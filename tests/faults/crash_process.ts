import { openDatabase } from '../../src/core/database/open_database.ts';
import { createWallets } from '../../src/features/wallets/wallets.ts';

/** A process to be killed: pays without end and reports each step, on one line, once it is acknowledged. */
const [dataDir, round] = process.argv.slice(2) as [string, string];
const database = await openDatabase({ dataDir });
const wallets = createWallets(database);
const wallet = `0x${round.padStart(40, '0')}`;
await wallets.register(wallet);
report('registered');
for (let call = 0; ; call += 1) {
  const hold = await wallets.hold({
    id: `${round}.${call}`,
    wallet,
    amount: 100,
    tool: 't',
    expiresAt: new Date(Date.now() + 900_000),
  });
  report('held');
  await wallets.settle(hold);
  report('settled');
}

function report(step: string): void {
  process.stdout.write(`${step}\n`);
}
