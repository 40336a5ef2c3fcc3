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

/** Artworks to download per museum. */
export const WORKS_A_MUSEUM = PULLED_SHARE;

interface Use {
  readonly brings: string;
  readonly isRecommended: boolean;
}

/** Purpose of each model. Recommended ones are used by tools by default; a fresh server downloads them. */
const USES: Record<FetchedName, Use> = {
  realesrgan_x2plus: { brings: 'upscaling ×2, the default of upscale_image', isRecommended: true },
  realesrgan_x4plus: { brings: 'enlarging ×4, photographs', isRecommended: true },
  realesrgan_x4plus_anime: { brings: 'enlarging ×4, drawings', isRecommended: false },
  realesr_general_x4v3: { brings: 'enlarging ×4, quicker', isRecommended: true },
  realesr_general_wdn_x4v3: {
    brings: 'its variant that preserves noise, for denoise of upscale_image',
    isRecommended: false,
  },
  realesr_animevideov3: { brings: 'enlarging ×4, quickest', isRecommended: false },
  // The bundled networks for clean images have the same kernels, and biases rounded to 16 bits: docs/decisions/0025-upscaling.md
  span_x2: {
    brings: 'faithful upscaling of clean images ×2, as the bundled network does',
    isRecommended: false,
  },
  span_x4: {
    brings: 'faithful upscaling of clean images ×4, as the bundled network does',
    isRecommended: false,
  },
  u2netp: { brings: 'background removal, small and coarse', isRecommended: true },
  isnet_general: { brings: 'background removal for any foreground object', isRecommended: true },
  birefnet_general_lite: { brings: 'finest background removal, needs much memory', isRecommended: false },
  migan: { brings: 'inpainting for erase_object', isRecommended: false },
  yunet: { brings: 'faces in image descriptions', isRecommended: true },
  face_full_range: { brings: 'faces, if yunet cannot be downloaded', isRecommended: true },
  tagger: { brings: 'object names in image descriptions', isRecommended: true },
  content_rating: { brings: 'nudity hints in image descriptions', isRecommended: true },
  text_detection: { brings: 'text lines in image descriptions', isRecommended: true },
  nanodet: { brings: 'people, vehicles and other objects by name, with their boxes', isRecommended: false },
  tinyclip: { brings: 'artwork search by image content', isRecommended: true },
  tinyclip_tokenizer: { brings: 'vocabulary of tinyclip, downloaded with it', isRecommended: false },
  ppocr_detection: { brings: 'detection of text lines', isRecommended: true },
  ppocr_recognition: { brings: 'recognition of text lines', isRecommended: true },
  ppocr_keys: { brings: 'characters of ppocr_recognition', isRecommended: true },
};

/** Available names: all models, and all museums that publish files. */
export const offerNames = (): readonly Offer['name'][] => [
  ...(Object.keys(USES) as FetchedName[]),
  ...MUSEUM_NAMES.filter((name) => MUSEUMS[name].hasFiles),
];

/** Recommended museums are those of the starter catalogue, whose manually entered artworks their files replace. */
export const isRecommended = (name: Offer['name']): boolean =>
  USES[name as FetchedName]?.isRecommended ?? STARTER_MUSEUMS.includes(name as MuseumName);

/** Names for a word: the models of a group, or a single name; empty where unknown. */
export function namesMeant(word: string): readonly Offer['name'][] {
  const names = offerNames();
  const group = names.filter((name) => name in MANIFEST && groupOf(MANIFEST[name as ModelName]) === word);
  return group.length > 0 ? group : names.filter((name) => name === word);
}

interface Known {
  readonly models: readonly ModelState[];
  readonly dataset: Pick<DatasetStatus, 'editions'>;
  /** Known sizes of the files of museums. */
  readonly sizes: Partial<Record<MuseumName, number>>;
}

/** All possible downloads with their state: models first, in the order of their list. */
export function offersOf({ models, dataset, sizes }: Known): Offer[] {
  const networks = models.flatMap(({ name, bytes, licence, group, installed }): Offer[] => {
    // Models without a published file cannot be downloaded.
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

/** Size as reported by the server of the museum, else an earlier size, else the number of files. */
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
