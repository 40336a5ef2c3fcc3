import type { Queryable } from '../../../core/database/types.ts';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { Models } from '../types.ts';
import { namesHere } from './names_here.ts';
import { offerNames } from './offers.ts';

/** @throws AtelierError invalid_input for a model without a known source, and for one that is installed already */
export async function requireFetchable(
  database: Queryable,
  models: Pick<Models, 'list'>,
  name: string,
): Promise<void> {
  const names: readonly string[] = offerNames();
  if (!names.includes(name))
    throw invalidField('name', `There is nothing called "${name}" to fetch. There are: ${names.join(', ')}.`);
  if ((await namesHere(database, models)).has(name)) throw invalidField('name', `${name} is here already.`);
}
