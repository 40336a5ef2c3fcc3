import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Reach } from '../../core/outbound_http/reach.ts';
import type { Store } from '../../core/storage/objects/types.ts';
import { readKnownWorks } from '../provenance/hashes/known_works.ts';
import type { Services } from '../services.ts';
import { createArtworks } from './artworks.ts';
import { createIiif } from './iiif/iiif.ts';
import { createMirrorFiles } from './image_cache/mirror_files.ts';
import { askMuseums } from './on_demand/ask_museums.ts';
import { openMeaning } from './semantic_search/open.ts';
import type { Artworks } from './types.ts';
import { createLooks } from './visual_similarity/looks.ts';

type Wanted = Parameters<typeof createArtworks>[0];
type Parts = Pick<Wanted, 'database' | 'links' | 'pixels' | 'models' | 'key'> &
  Pick<Wanted['snapshots'], 'disk' | 'lineOf'> & {
    readonly reach: Reach;
    readonly store: Store;
  };

/** The dataset with what its works look like and, where a model is set up, what they mean. @throws Error naming a missing setting */
export async function openArtworks(config: Config, parts: Parts): Promise<Services['artworks']> {
  const { reach, disk, lineOf, store, ...rest } = parts;
  const looks = createLooks({ database: parts.database, pixels: parts.pixels, shipped: readKnownWorks() });
  const meaning = await openMeaning(config, parts.database);
  const { SMITHSONIAN_API_KEY, PARIS_MUSEES_TOKEN } = config;
  return createArtworks({
    ...{ ...rest, looks, meaning, folder: join(config.DATA_DIR, 'artworks'), reserve: reach.reserve },
    mirror: createMirrorFiles({ ...parts, objects: store.objectsOf('mirror'), reserve: reach.reserve }),
    snapshots: { folder: join(config.DATA_DIR, 'snapshots'), disk, lineOf },
    museums: askMuseums({ reach, contact: config.OPERATOR_CONTACT, mirror: config.MUSEUM_MIRROR }),
    completing: { isOn: config.LIVE_WORKS, keys: { SMITHSONIAN_API_KEY, PARIS_MUSEES_TOKEN } },
  });
}

interface Shown extends Pick<Parts, 'database' | 'pixels' | 'reach'> {
  readonly artworks: Artworks;
  readonly publicUrl: string;
}

/** Their pictures by IIIF. */
export function openIiif({ DATA_DIR, IIIF }: Config, { reach, ...parts }: Shown): Services['iiif'] {
  return createIiif({ ...parts, folder: join(DATA_DIR, 'iiif'), reserve: reach.reserve, isOn: IIIF });
}
