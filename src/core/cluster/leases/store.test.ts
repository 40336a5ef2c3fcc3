import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { hold, release } from './store.ts';

const held = (holder: string, forMs = 60_000) => ({ name: 'tidy', holder, forMs, evenIfDone: false });

forEachDatabase((_name, open) => {
  test('a holder that lost its lease can neither renew nor release it', async () => {
    const database = await open();
    await hold(database, held('old'));
    await database.query(`update leases set held_until = clock_timestamp() - interval '1 second'`);
    expect(await hold(database, held('new'))).toBe(true);
    const row = () => database.query('select holder, held_until from leases');
    const before = await row();
    expect(await hold(database, held('old'))).toBe(false);
    await release(database, { name: 'tidy', holder: 'old', afterMs: 0 });
    await release(database, { name: 'tidy', holder: 'old', afterMs: 5000 });
    expect(await row()).toEqual(before);
    expect(await hold(database, held('new', 120_000))).toBe(true);
    expect(await row()).not.toEqual(before);
  });
});
