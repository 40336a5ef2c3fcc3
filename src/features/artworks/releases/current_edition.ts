import type { Database } from '../../../core/database/types.ts';
import { type MuseumName, STARTER_MUSEUMS } from '../museums/museums.ts';
import { installStarter } from '../starter/install_starter.ts';
import { type Edition, readEdition, readImportedMuseums } from './edition_store.ts';

/** The published edition; installs the starter catalogue if there is none. */
export function currentEdition(database: Database): {
  edition(): Promise<Edition>;
  /** Museums represented only by the starter catalogue. */
  starterOnly(): Promise<MuseumName[]>;
} {
  let installing: Promise<void> | undefined;
  const edition = async () => {
    const current = await readEdition(database);
    if (current) return current;
    installing ??= installStarter(database).finally(() => {
      installing = undefined;
    });
    await installing;
    return (await readEdition(database))!;
  };
  const starterOnly = async () => {
    const imported = new Set(await readImportedMuseums(database));
    return STARTER_MUSEUMS.filter((name) => !imported.has(name));
  };
  return { edition, starterOnly };
}
