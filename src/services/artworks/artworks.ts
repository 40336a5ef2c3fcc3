import type { Database } from '../../database/index.ts';
import { ARTWORK_CACHE_BYTES_MAX, ARTWORK_LINK_LIFETIME_MS } from '../../dataset_limits.ts';
import { AtelierError } from '../../errors.ts';
import { MUSEUM_NAMES } from '../../museums.ts';
import type { Pixels } from '../../workers/index.ts';
import type { Reach } from '../fetching/index.ts';
import type { Links } from '../links/index.ts';
import { importedMuseums, readEdition } from './edition_store.ts';
import type { Artworks } from './index.ts';
import { installStarter } from './install_starter.ts';
import { createPictureCache } from './pictures/picture_cache.ts';
import { createPictures } from './pictures/pictures.ts';
import { readRecord } from './record_store.ts';
import { relatedWorks } from './related_works.ts';
import { search } from './search/search.ts';

const ID_CHARACTERS_MAX = 120;

const LINK_PATH = '/api/artworks/picture';

interface Parts {
  readonly database: Database;
  /** Where pictures of museums are kept. */
  readonly folder: string;
  readonly links: Links;
  readonly reach: Reach;
  readonly pixels: Pick<Pixels, 'run'>;
}

export function createArtworks({ database, folder, links, reach, pixels }: Parts): Artworks {
  const cache = createPictureCache(folder, ARTWORK_CACHE_BYTES_MAX);
  const pictures = createPictures({ cache, reach, pixels });
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
  const find: Artworks['find'] = async (id) => {
    const current = await edition();
    const stored =
      id.length <= ID_CHARACTERS_MAX ? await readRecord(database, current.number, id) : undefined;
    if (stored) return { ...stored, edition: current, starterOnly: await starterOnly() };
    throw new AtelierError(
      'artwork_not_found',
      `There is no work "${id.slice(0, ID_CHARACTERS_MAX)}" in this dataset. search_artworks answers identifiers as credit_id, such as met_45434.`,
    );
  };
  return {
    edition,
    find,
    async search(asked) {
      const current = await edition();
      const found = await search(database, current.number, asked);
      return { ...found, edition: current, starterOnly: await starterOnly() };
    },
    others: async (record, limit) => relatedWorks(database, (await edition()).number, record, limit),
    link(id, size) {
      const expiresAt = new Date(Date.now() + ARTWORK_LINK_LIFETIME_MS);
      return { url: links.sign(LINK_PATH, { id, size }, expiresAt), expiresAt };
    },
    verifyLink: (id, size, exp, sig) => links.verify(LINK_PATH, { id, size }, exp, sig),
    picture: async (id, size) => pictures.picture((await find(id)).record, size),
    sweep: () => cache.sweep(),
  };
}
