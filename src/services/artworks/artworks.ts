import { createHash, type KeyObject } from 'node:crypto';
import type { Database } from '../../database/index.ts';
import { ARTWORK_CACHE_BYTES_MAX, ARTWORK_LINK_LIFETIME_MS } from '../../dataset_limits.ts';
import { AtelierError, invalidField } from '../../errors.ts';
import { MUSEUM_NAMES } from '../../museums.ts';
import type { Pixels } from '../../workers/index.ts';
import type { Reach } from '../fetching/index.ts';
import type { Links } from '../links/index.ts';
import { createSigner } from '../receipts/index.ts';
import { canonical } from './canonical.ts';
import { importedMuseums, listEditions, readEdition } from './edition_store.ts';
import type { Artworks, Edition, Statistics } from './index.ts';
import { installStarter } from './install_starter.ts';
import { createPictureCache } from './pictures/picture_cache.ts';
import { createPictures } from './pictures/pictures.ts';
import { readPage, readRecord } from './record_store.ts';
import { relatedWorks } from './related_works.ts';
import { search } from './search/search.ts';
import { readRights, readWithdrawals } from './statistics_store.ts';

const ID_CHARACTERS_MAX = 120;

const LINK_PATH = '/api/artworks/picture';
const BATCH_PATH = '/api/artworks/batch';
const EDITIONS_SHOWN = 20;
const WITHDRAWALS_SHOWN = 1000;

interface Parts {
  readonly database: Database;
  /** Where pictures of museums are kept. */
  readonly folder: string;
  readonly links: Links;
  readonly reach: Reach;
  readonly pixels: Pick<Pixels, 'run'>;
  /** Ed25519; signs manifests. */
  readonly key: KeyObject;
}

export function createArtworks({ database, folder, links, reach, pixels, key }: Parts): Artworks {
  const signer = createSigner(key);
  const cache = createPictureCache(folder, ARTWORK_CACHE_BYTES_MAX);
  const pictures = createPictures({ cache, reach, pixels });
  const { edition, starterOnly } = currentEdition(database);
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
  const statisticsOf = remembering(database);
  return {
    edition,
    find,
    async search(asked) {
      const current = await edition();
      const found = await search(database, current.number, asked);
      return { ...found, edition: current, starterOnly: await starterOnly() };
    },
    async page({ edition: number, after = '', from = '', offset = 0, limit }) {
      const asked = number === undefined ? await edition() : await readEdition(database, number);
      if (!asked) throw invalidField('snapshot', `There is no published snapshot ${number}.`);
      return {
        works: await readPage(database, asked.number, { after, from, offset, limit }),
        edition: asked,
      };
    },
    statistics: async () => ({ ...(await statisticsOf(await edition())), starterOnly: await starterOnly() }),
    signManifest: (manifest, { number, digest }) =>
      signer.sign('manifest+jwt', {
        iss: links.publicUrl,
        iat: Math.floor(Date.now() / 1000),
        snapshot: number,
        snapshot_sha256: digest,
        manifest_sha256: createHash('sha256').update(canonical(manifest)).digest('hex'),
      }),
    batchLink(page) {
      const expiresAt = new Date(Date.now() + ARTWORK_LINK_LIFETIME_MS);
      return { url: links.sign(BATCH_PATH, { ...page }, expiresAt), expiresAt };
    },
    verifyBatchLink: (page, exp, sig) => links.verify(BATCH_PATH, { ...page }, exp, sig),
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

/** Counts an edition when it is first asked for. */
function remembering(database: Database): (edition: Edition) => Promise<Omit<Statistics, 'starterOnly'>> {
  let counted: { number: number; rights: ReturnType<typeof readRights> } | undefined;
  return async (edition) => {
    if (counted?.number !== edition.number) {
      const rights = readRights(database, edition.number);
      counted = { number: edition.number, rights };
      rights.catch(() => {
        counted = undefined;
      });
    }
    return {
      edition,
      editions: await listEditions(database, EDITIONS_SHOWN),
      rights: await counted.rights,
      withdrawals: await readWithdrawals(database, WITHDRAWALS_SHOWN),
    };
  };
}

/** What is published now; the starter catalogue where nothing was. */
function currentEdition(database: Database) {
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
  return { edition, starterOnly };
}
