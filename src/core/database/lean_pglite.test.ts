import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Opens the database in a process of its own and parses until V8 would optimise the parser; returns the peak memory, in MiB. */
const OPEN_AND_PARSE = `
  const { openDatabase } = await import('./src/core/database/open_database.ts');
  const database = await openDatabase({ dataDir: process.env.DATA_DIR });
  for (let nth = 0; nth < 500; nth++) await database.query('select ' + nth + ' as one, true and not false as two');
  await database.close();
  console.log(process.resourceUsage().maxRSS / 1024);
`;

test('an existing folder opens without the 600 MiB for optimising the parser', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-lean-'));
  const mostHeldMiB = () =>
    Number(
      execFileSync(process.execPath, ['-e', OPEN_AND_PARSE], {
        env: { ...process.env, DATA_DIR: dataDir },
        encoding: 'utf8',
      }),
    );
  mostHeldMiB();
  expect(mostHeldMiB()).toBeLessThan(400);
  rmSync(dataDir, { recursive: true });
});
