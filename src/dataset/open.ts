import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Services } from '../services/contract.ts';
import type { Reach } from '../services/fetching/reach.ts';
import { readKnownWorks } from '../services/hashes/known_works.ts';
import { createArtworks } from './artworks.ts';
import { askMuseums } from './live/ask_museums.ts';
import { createLooks } from './looks/looks.ts';
import { openMeaning } from './meaning/open.ts';

type Wanted = Parameters<typeof createArtworks>[0];
type Parts = Pick<Wanted, 'database' | 'links' | 'pixels' | 'models' | 'key'> & { readonly reach: Reach };

/** The dataset with what its works look like and, where a model is set up, what they mean. @throws Error naming a missing setting */
export async function openArtworks(config: Config, parts: Parts): Promise<Services['artworks']> {
  const looks = createLooks({ database: parts.database, pixels: parts.pixels, shipped: readKnownWorks() });
  const meaning = await openMeaning(config, parts.database);
  const { reach, ...rest } = parts;
  const { SMITHSONIAN_API_KEY, PARIS_MUSEES_TOKEN } = config;
  return createArtworks({
    ...{ ...rest, looks, meaning, folder: join(config.DATA_DIR, 'artworks'), reserve: reach.reserve },
    museums: askMuseums({ reach, contact: config.OPERATOR_CONTACT, mirror: config.MUSEUM_MIRROR }),
    completing: { isOn: config.LIVE_WORKS, keys: { SMITHSONIAN_API_KEY, PARIS_MUSEES_TOKEN } },
  });
}
