import { AtelierError } from '../../core/errors/atelier_error.ts';
import { MUSEUM_NAMES } from '../artworks/museums/museums.ts';
import { type ArtworkRecord, parseRecord } from '../artworks/records/record.ts';
import type { Artworks } from '../artworks/types.ts';
import type { KnownWork, KnownWorks } from '../provenance/hashes/known_works.ts';
/** The record of the work a picture shows, where its hash is that of a known one. @param pdq 64 hex digits */
export type Recognise = (pdq: string) => Promise<ArtworkRecord | undefined>;

/** Looks a picture up among the works known by their looks; what the dataset has of it goes before what the list has. */
export const recogniseIn =
  (works: KnownWorks, artworks: Pick<Artworks, 'find'>): Recognise =>
  async (pdq) => {
    const [nearest] = works.near([Buffer.from(pdq, 'hex')]);
    if (!nearest) return undefined;
    try {
      return (await artworks.find(nearest.work.id)).record;
    } catch (error) {
      if (error instanceof AtelierError && error.code === 'artwork_not_found') return recordOf(nearest.work);
      throw error;
    }
  };

/** The list is of works whose records named them CC0 when it was made; field and value are not in it. */
function recordOf({ id, title, artist, url }: KnownWork): ArtworkRecord | undefined {
  const museum = MUSEUM_NAMES.find((name) => id.startsWith(`${name}_`));
  if (!museum) return undefined;
  return parseRecord({
    ...{ id, museum, title, source_url: url },
    artists: artist ? [{ name: artist }] : [],
    rights: { status: 'cc0', evidence: null, url: 'https://creativecommons.org/publicdomain/zero/1.0/' },
  });
}
