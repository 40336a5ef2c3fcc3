import type { DatasetStatus } from '../../artworks/dataset.ts';
import { HARVEST_RECORDS_A_PAGE, HARVEST_SPARE } from '../../artworks/limits.ts';
import { IMPORTERS } from '../../artworks/museums/importers.ts';
import {
  MUSEUM_NAMES,
  MUSEUMS,
  type MuseumName,
  PULLED_SHARE,
  STARTER_MUSEUMS,
} from '../../artworks/museums/museums.ts';
import { type FetchedName, groupOf, MANIFEST, type ModelName } from '../manifest.ts';
import type { ModelState } from '../types.ts';
import type { Offer } from './types.ts';

/** Works that are fetched of a museum. */
export const WORKS_A_MUSEUM = PULLED_SHARE;

interface Use {
  readonly brings: string;
  readonly isRecommended: boolean;
}

/** What each network is good for. Recommended are those that tools take by themselves: what a fresh server fetches. */
const USES: Record<FetchedName, Use> = {
  realesrgan_x2plus: { brings: 'enlarging ×2, the default of upscale_image', isRecommended: true },
  realesrgan_x4plus: { brings: 'enlarging ×4, photographs', isRecommended: true },
  realesrgan_x4plus_anime: { brings: 'enlarging ×4, drawings', isRecommended: false },
  realesr_general_x4v3: { brings: 'enlarging ×4, quicker', isRecommended: true },
  realesr_general_wdn_x4v3: {
    brings: 'its twin that keeps noise, for denoise of upscale_image',
    isRecommended: false,
  },
  realesr_animevideov3: { brings: 'enlarging ×4, quickest', isRecommended: false },
  // The bundled networks for clean pictures have the same kernels, and biases rounded to 16 bits: docs/decisions/0025-upscaling.md
  span_x2: { brings: 'enlarging clean pictures ×2, as the bundled network does', isRecommended: false },
  span_x4: { brings: 'enlarging clean pictures ×4, as the bundled network does', isRecommended: false },
  u2netp: { brings: 'cutting out, small and rough', isRecommended: true },
  isnet_general: { brings: 'cutting out whatever is in front', isRecommended: true },
  birefnet_general_lite: { brings: 'cutting out finest, needs much memory', isRecommended: false },
  migan: { brings: 'filling what erase_object takes out', isRecommended: false },
  yunet: { brings: 'faces in descriptions of pictures', isRecommended: true },
  face_full_range: { brings: 'faces where yunet cannot be fetched', isRecommended: true },
  tagger: { brings: 'names of things in descriptions of pictures', isRecommended: true },
  content_rating: { brings: 'a hint at nudity in descriptions of pictures', isRecommended: true },
  text_detection: { brings: 'lines of writing in descriptions of pictures', isRecommended: true },
  nanodet: { brings: 'people, vehicles and other things by word, with their boxes', isRecommended: false },
  tinyclip: { brings: 'works found by what their pictures show', isRecommended: true },
  tinyclip_tokenizer: { brings: 'the words of tinyclip, fetched with it', isRecommended: false },
  ppocr_detection: { brings: 'finding lines of text', isRecommended: true },
  ppocr_recognition: { brings: 'reading lines of text', isRecommended: true },
  ppocr_keys: { brings: 'the characters ppocr_recognition reads', isRecommended: true },
};

/** Names that are offered: every network, and every museum that publishes files. */
export const offerNames = (): readonly Offer['name'][] => [
  ...(Object.keys(USES) as FetchedName[]),
  ...MUSEUM_NAMES.filter((name) => MUSEUMS[name].hasFiles),
];

/** Of museums, those of the starter catalogue: their files take the place of works that were written down by hand. */
export const isRecommended = (name: Offer['name']): boolean =>
  USES[name as FetchedName]?.isRecommended ?? STARTER_MUSEUMS.includes(name as MuseumName);

/** What a word names: the networks of a group, or the one offer; nothing where it names none. */
export function namesMeant(word: string): readonly Offer['name'][] {
  const names = offerNames();
  const group = names.filter((name) => name in MANIFEST && groupOf(MANIFEST[name as ModelName]) === word);
  return group.length > 0 ? group : names.filter((name) => name === word);
}

interface Known {
  readonly models: readonly ModelState[];
  readonly dataset: Pick<DatasetStatus, 'editions'>;
  /** Sizes of museums' files, where they are known. */
  readonly sizes: Partial<Record<MuseumName, number>>;
}

/** Everything that can be fetched, as it stands: networks first, in the order of their list. */
export function offersOf({ models, dataset, sizes }: Known): Offer[] {
  const networks = models.flatMap(({ name, bytes, licence, group, installed }): Offer[] => {
    // Without a published file there is nothing to fetch.
    if (bytes === undefined || licence === undefined) return [];
    const use = USES[name as FetchedName];
    return [
      {
        name,
        kind: 'network',
        ...use,
        ...(group && { group }),
        bytes,
        licence,
        isHere: installed !== undefined,
      },
    ];
  });
  const imported = new Set(dataset.editions.map(({ museum }) => museum));
  const museums = MUSEUM_NAMES.filter((name) => MUSEUMS[name].hasFiles).map(
    (name): Offer => ({
      name,
      kind: 'museum',
      isRecommended: isRecommended(name),
      isHere: imported.has(name),
      brings: `up to ${PULLED_SHARE} works of ${MUSEUMS[name].name}`,
      ...sizeOf(name, sizes[name]),
      licence: MUSEUMS[name].dataLicence,
    }),
  );
  return [...networks, ...museums];
}

/** As the museum's server says, else as it was when it was last looked at, else in how many pieces it comes. */
function sizeOf(name: MuseumName, said: number | undefined): Pick<Offer, 'bytes' | 'isEstimate' | 'pieces'> {
  const { published } = IMPORTERS[name];
  if (said !== undefined || !published) return { bytes: said };
  if ('repository' in published)
    return {
      bytes: undefined,
      pieces: `${Math.ceil((PULLED_SHARE * HARVEST_SPARE) / HARVEST_RECORDS_A_PAGE)} pages`,
    };
  const { bytesAbout, files } = published;
  return bytesAbout === undefined
    ? { bytes: undefined, pieces: `${files.length} files` }
    : { bytes: bytesAbout, isEstimate: true };
}
