import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { UNSTAMPED } from '../../../../tests/support/open_manifests.ts';
import { checkLog } from './check_log.ts';
import { createLog } from './log.ts';

const signer = { sign: () => '' } as never;

forEachDatabase((_name, open) => {
  test.each([
    ['a node', `update log_nodes set hash = decode(repeat('00', 32), 'hex') where level = 1 and index = 0`],
    ['an entry', `update log_leaves set entry = 'another' where index = 2`],
    ['a leaf that is gone', 'delete from log_leaves where index = 3'],
    ['a size that is too large', 'update log_size set size = 6'],
    ['a size that is too small', 'update log_size set size = 4'],
  ])('tampering is detected: %s', async (_what, change) => {
    const database = await open();
    await database.query(`insert into log_pending (entry) select 'entry ' || n from generate_series(1, 5) n`);
    await createLog({ database, signer, publicUrl: 'http://a', timeStamps: UNSTAMPED }).sequence(new Date());
    await expect(checkLog(database)).resolves.toBeUndefined();
    for (const table of ['log_nodes', 'log_leaves', 'log_size'])
      await database.query(`alter table ${table} disable trigger user`);
    await database.query(change);
    await expect(checkLog(database)).rejects.toThrow();
    for (const table of ['log_nodes', 'log_leaves', 'log_size'])
      await database.query(`alter table ${table} enable trigger user`);
  });
});
