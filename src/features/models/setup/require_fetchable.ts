import type { Queryable } from '../../../core/database/types.ts';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import { lastOfEach } from '../../artworks/releases/edition_store.ts';
import type { Models } from '../types.ts';
import { offerNames } from './offers.ts';

/** Checks the name of a download. @throws AtelierError invalid_input where it has no known source or is installed */
export async function requireFetchable(
  database: Queryable,
  models: Pick<Models, 'list'>,
  name: string,
): Promise<void> {
  const names: readonly string[] = offerNames();
  if (!names.includes(name))
    throw invalidField('name', `No download is named "${name}". Available: ${names.join(', ')}.`);
  if ((await installedNames(database, models)).has(name))
    throw invalidField('name', `${name} is already installed.`);
}

/** Installed models, and museums of which a file was imported. */
export async function installedNames(
  database: Queryable,
  models: Pick<Models, 'list'>,
): Promise<ReadonlySet<string>> {
  const installed = (await models.list()).filter((state) => state.installed).map(({ name }) => name);
  return new Set([...installed, ...(await lastOfEach(database)).map(({ museum }) => museum)]);
}
