import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { readTerms, writeTerms } from './terms_store.ts';

forEachDatabase((_, open) => {
  test('the latest terms page of a museum is returned with its first and last date seen', async () => {
    const database = await open();
    const see = (sha256: string, day: number) =>
      writeTerms(database, { museum: 'met', url: 'https://a.test', sha256, now: new Date(day * 86_400_000) });
    for (const [sha256, day] of [
      ['old', 1],
      ['new', 2],
      ['new', 3],
    ] as const)
      await see(sha256, day);
    expect(await readTerms(database)).toEqual([
      {
        museum: 'met',
        url: 'https://a.test',
        sha256: 'new',
        firstSeenAt: new Date(2 * 86_400_000),
        lastSeenAt: new Date(3 * 86_400_000),
      },
    ]);
  });
});
