import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyTemplate, templatePlace } from './cluster_template.ts';
import { openDatabase } from './open.ts';

const hasTemplate = existsSync(await templatePlace());

test.skipIf(!hasTemplate)(
  'a database copied from the template works and lacks no table (skipped without npm run prepare)',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'atelier-template-'));
    const database = await openDatabase({ dataDir });
    const [row] = await database.query<{ applied: number }>(
      'select count(*) as applied from schema_migrations',
    );
    await database.close();
    rmSync(dataDir, { recursive: true });
    expect(row?.applied).toBeGreaterThanOrEqual(3);
  },
);

test.skipIf(!hasTemplate)('a copy that was cut short is not taken for a cluster', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-template-'));
  await copyTemplate(join(dataDir, 'database'));
  rmSync(join(dataDir, 'database/PG_VERSION'));
  const database = await openDatabase({ dataDir });
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  await database.close();
  rmSync(dataDir, { recursive: true });
});
