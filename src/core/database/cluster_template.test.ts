import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyTemplate, templatePlace } from './cluster_template.ts';
import { openDatabase } from './open_database.ts';

test('a database copied from the template works and has every table', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-template-'));
  const database = await openDatabase({ dataDir });
  const [row] = await database.query<{ applied: number }>(
    'select count(*) as applied from schema_migrations',
  );
  await database.close();
  rmSync(dataDir, { recursive: true });
  expect(row?.applied).toBeGreaterThanOrEqual(3);
});

test('an incomplete copy is not used as a database', async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-template-'));
  const hasCopied = await copyTemplate(join(dataDir, 'database'));
  if (!hasCopied) context.skip('a cluster of npm run prepare');
  rmSync(join(dataDir, 'database/PG_VERSION'));
  const database = await openDatabase({ dataDir });
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  await database.close();
  rmSync(dataDir, { recursive: true });
});

test('the user of the service may read the template, and only its installer may change it', async (context) => {
  const place = await templatePlace();
  const modes = globSync(['', '**/*'], { cwd: place }).map(
    (name) => statSync(join(place, name)).mode & 0o066,
  );
  if (modes.length === 0) context.skip('a cluster of npm run prepare');
  expect(new Set(modes)).toEqual(new Set([0o044]));
});
