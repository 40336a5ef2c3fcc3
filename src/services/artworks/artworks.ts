import type { Database } from '../../database/index.ts';
import { AtelierError } from '../../errors.ts';
import { MUSEUM_NAMES } from '../../museums.ts';
import { importedMuseums, readEdition } from './edition_store.ts';
import type { Artworks } from './index.ts';
import { installStarter } from './install_starter.ts';
import { readRecord } from './record_store.ts';
import { search } from './search/search.ts';

const ID_CHARACTERS_MAX = 120;

export function createArtworks(database: Database): Artworks {
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
    const imported = new Set(await importedMuseums(database));
    return MUSEUM_NAMES.filter((name) => !imported.has(name));
  };
  return {
    edition,
    async search(asked) {
      const current = await edition();
      const found = await search(database, current.number, asked);
      return { ...found, edition: current, starterOnly: await starterOnly() };
    },
    async find(id) {
      const current = await edition();
      const stored =
        id.length <= ID_CHARACTERS_MAX ? await readRecord(database, current.number, id) : undefined;
      if (stored) return { ...stored, edition: current, starterOnly: await starterOnly() };
      throw new AtelierError(
        'artwork_not_found',
        `There is no work "${id.slice(0, ID_CHARACTERS_MAX)}" in this dataset. search_artworks answers identifiers as credit_id, such as met_45434.`,
      );
    },
  };
}
