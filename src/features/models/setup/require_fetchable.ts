import type { Queryable } from '../../../core/database/types.ts';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { Models } from '../types.ts';
import { installedNames } from './names_here.ts';
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
