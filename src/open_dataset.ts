import { join } from 'node:path';
import type { Config } from './config.ts';
import type { MuseumName } from './museums.ts';
import { openData } from './open_data.ts';
import { createDataset } from './services/artworks/dataset.ts';
import { type Fetching, fetchFile, fetchMuseum } from './services/artworks/fetch_museum.ts';

type Wanted = Omit<Fetching, 'folder' | 'fetch'>;

/** The dataset and the files of museums in the data folder the settings name, for whoever looks after them. */
export async function openDataset(config: Config) {
  const database = await openData(config);
  const folder = join(config.DATA_DIR, 'museums');
  return {
    ...createDataset(database),
    fetchMuseum: (museum: MuseumName, wanted: Wanted) => fetchMuseum(museum, { ...wanted, folder, fetch }),
    fetchFile: (url: string, museum: MuseumName, wanted: Wanted) =>
      fetchFile(url, museum, { ...wanted, folder, fetch }),
  };
}

export type OpenedDataset = Awaited<ReturnType<typeof openDataset>>;
