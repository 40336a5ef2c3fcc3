import type { Queryable } from '../../../core/database/types.ts';
import { lastOfEach } from '../../artworks/releases/edition_store.ts';
import type { Models } from '../types.ts';

/** Installed models, and museums of which a file was imported. */
export async function installedNames(
  database: Queryable,
  models: Pick<Models, 'list'>,
): Promise<ReadonlySet<string>> {
  const installed = (await models.list()).filter((state) => state.installed).map(({ name }) => name);
  return new Set([...installed, ...(await lastOfEach(database)).map(({ museum }) => museum)]);
}
