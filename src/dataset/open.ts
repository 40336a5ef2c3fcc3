import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Services } from '../services/contract.ts';
import { readKnownWorks } from '../services/hashes/known_works.ts';
import { createArtworks } from './artworks.ts';
import { createLooks } from './looks/looks.ts';
import { openMeaning } from './meaning/open.ts';

type Parts = Omit<Parameters<typeof createArtworks>[0], 'folder' | 'looks' | 'meaning'>;

/** The dataset with what its works look like and, where a model is set up, what they mean. @throws Error naming a missing setting */
export async function openArtworks(config: Config, parts: Parts): Promise<Services['artworks']> {
  const looks = createLooks({ database: parts.database, pixels: parts.pixels, shipped: readKnownWorks() });
  const meaning = await openMeaning(config, parts.database);
  return createArtworks({ ...parts, folder: join(config.DATA_DIR, 'artworks'), looks, meaning });
}
