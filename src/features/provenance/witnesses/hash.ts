import { NEEDLES_MAX } from '@atelier/imaging/fingerprint/hamming/run_index.ts';
import { HASH_QUALITY_MIN } from '../../../config/limits.ts';
import { chanceOf } from '../chance.ts';
import type { KnownWork, KnownWorks } from '../hashes/known_works.ts';
import type { Hashes, Near, Sharing } from '../hashes/types.ts';
import { FAR_COMPARED_MAX, FAR_DISTANCE_MAX, REGION_SEARCH_WINDOWS_MAX } from '../limits.ts';
import { registeredMatch } from '../registered_match.ts';
import type { ExaminedPicture, Match, Testimony, Witness } from '../types.ts';
import { dayOf, nameOf } from '../wording.ts';

interface HashWitnessDeps {
  readonly hashes: Pick<Hashes, 'near' | 'sharing' | 'load'>;
  readonly works: KnownWorks;
  /** Hashes of windows of image regions. Absent: regions are not searched. */
  readonly regionsOf?: (picture: ExaminedPicture) => Promise<Uint8Array>;
  /**
   * Similarity of a whole image and the thumbnail of a registration, -1 to 1; `turn` as in Near. Absent:
   * nothing beyond HASH_DISTANCE_MAX is searched.
   */
  readonly likenessOf?: (picture: ExaminedPicture, preview: Uint8Array, turn: number) => Promise<number>;
}

/** Whether the image is visually similar to a registered image or a known work: as a whole, rotated, mirrored, or in regions. */
export function createHashWitness(deps: HashWitnessDeps): Witness {
  return {
    name: 'hash',
    async look(picture) {
      const isFlat = picture.fingerprint.quality < HASH_QUALITY_MIN;
      const matches = isFlat ? [] : await matchesOf(deps, picture);
      return { matches, judge: (best) => testimony(matches, best, isFlat) };
    },
  };
}

/**
 * Searches in order of cost: whole images, then windows, then whole images further away, and windows of
 * regions last. Stops at the first search that finds a match.
 */
async function matchesOf(deps: HashWitnessDeps, picture: ExaminedPicture): Promise<Match[]> {
  const { hashes, works, regionsOf } = deps;
  const { fingerprint } = picture;
  const near = await hashes.near(fingerprint.hashes);
  const { pictures, windows } = await hashes.load();
  const known = works.near(fingerprint.hashes);
  const turns = fingerprint.hashes.length;
  const ofWorks = known.map(({ work, distance, turn }) =>
    workMatch(work, whole(distance, turn, chanceOf(distance, turns))),
  );
  const ofPictures = near.map(({ registration, distance, turn }: Near) =>
    registeredMatch(registration, whole(distance, turn, chanceOf(distance, pictures * turns))),
  );
  if (near.length + known.length > 0) return [...ofWorks, ...ofPictures];
  const inPartsOf = await sharingWith(fingerprint.windows, deps, { kept: windows, before: 0 });
  if (inPartsOf.length > 0) return inPartsOf;
  const far = await confirmedFarFrom(picture, deps, pictures);
  if (far.length > 0 || !regionsOf || windows > REGION_SEARCH_WINDOWS_MAX) return far;
  const regions = await regionsOf(picture);
  for (let at = 0; at < regions.length; at += SEARCH_BYTES) {
    const before = (fingerprint.windows.length + at) / 32;
    const part = regions.subarray(at, at + SEARCH_BYTES);
    const found = await sharingWith(part, deps, { kept: windows, before });
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * Registrations too far away for a match by hash alone, confirmed by their thumbnails: heavily downscaled
 * copies, or copies of the lowest JPEG qualities.
 * @param kept images of the index
 */
async function confirmedFarFrom(
  picture: ExaminedPicture,
  { hashes, likenessOf }: HashWitnessDeps,
  kept: number,
): Promise<Match[]> {
  if (!likenessOf) return [];
  const turns = picture.fingerprint.hashes;
  const near = (await hashes.near(turns, FAR_DISTANCE_MAX)).slice(0, FAR_COMPARED_MAX);
  const confirmed: Match[] = [];
  for (const { registration, distance, turn } of near) {
    if ((await likenessOf(picture, registration.preview, turn)) < LIKENESS_MIN) continue;
    confirmed.push(
      registeredMatch(registration, whole(distance, turn, chanceOf(distance, kept * turns.length))),
    );
  }
  return confirmed;
}

/** Copies up to 55 bits away reach at least 0.72 (measured); few other images at any distance do. */
const LIKENESS_MIN = 0.7;

const SEARCH_BYTES = NEEDLES_MAX * 32;

/**
 * Registrations and works with some of these windows.
 * @param compared.kept windows of the index
 * @param compared.before windows of the image compared already
 */
async function sharingWith(
  windows: Uint8Array,
  { hashes, works }: HashWitnessDeps,
  { kept, before }: { readonly kept: number; readonly before: number },
): Promise<Match[]> {
  const asked = windows.length / 32 + before;
  const found = (await hashes.sharing(windows)).map(({ registration, ...shared }: Sharing) =>
    registeredMatch(registration, inParts(shared, kept * asked)),
  );
  const ofWorks = works
    .sharing(windows)
    .map(({ work, ...shared }) => workMatch(work, inParts(shared, works.windows * asked)));
  const all = [...ofWorks, ...found];
  return [...all, ...(await otherRegistrationsOf(all, hashes))];
}

/** Images found by windows whose other registrations are searched. */
const FOUND_MAX = 10;

/**
 * Other registrations of the images found, which may by accident share no window with the crop, and may
 * include the first registration. They get the confidence of the match they resemble.
 */
async function otherRegistrationsOf(found: readonly Match[], hashes: Pick<Hashes, 'near'>): Promise<Match[]> {
  const first = found.slice(0, FOUND_MAX);
  if (first.length === 0) return [];
  const known = new Set(found.map(({ id }) => id));
  const near = await hashes.near(first.map(({ pdq }) => pdq!));
  return near
    .filter(({ registration }) => !known.has(registration.id))
    .map(({ registration, turn }) => {
      const { similarity, confidence, chance } = first[turn]!;
      return registeredMatch(registration, {
        by: 'windows',
        similarity,
        confidence,
        ...(chance !== undefined && { chance }),
      });
    });
}

function workMatch({ id, title, artist, url, pdq }: KnownWork, found: Found): Match {
  return {
    id,
    title,
    artist,
    kind: 'work',
    wallet: null,
    provenanceUri: url,
    registeredAt: null,
    pdq: Buffer.from(pdq, 'hex'),
    ...found,
  };
}

type Found = ReturnType<typeof whole | typeof inParts>;

/**
 * @param compared windows of other images times windows of this image
 */
function inParts({ shared, distance }: Pick<Sharing, 'shared' | 'distance'>, compared: number) {
  const chance = chanceOf(distance, compared) ** Math.min(shared, 3);
  return { by: 'windows', similarity: 1 - distance / 256, chance, confidence: 1 - chance } as const;
}

const whole = (distance: number, turn: number, chance: number) =>
  ({ by: 'picture', turn, similarity: 1 - distance / 256, chance, confidence: 1 - chance }) as const;

function testimony(
  matches: readonly Match[],
  best: Match | undefined,
  isFlat: boolean,
): Omit<Testimony, 'witness'> {
  const own = matches.find(({ id }) => id === best?.id);
  if (own) return { finding: 'agree', sentence: `${agreement(own)}${earlierThan(own, matches)}` };
  if (isFlat) {
    return {
      finding: 'absent',
      sentence: 'The image has too little detail, so visual similarity was not compared.',
    };
  }
  if (best && best.by !== 'file') {
    return {
      finding: 'conflict',
      sentence: `It does not look like ${nameOf(best)}, which other evidence names.`,
    };
  }
  return {
    finding: 'absent',
    sentence:
      'No registered image looks like this one. That is no evidence against it: most images are not registered.',
  };
}

/** Names the earlier registration, so that a later one of the same image is not taken for the first. */
function earlierThan({ registeredAt }: Match, matches: readonly Match[]): string {
  const earlier = matches.filter(
    (other) => other.by === 'picture' && +(other.registeredAt ?? 0) < +(registeredAt ?? 0),
  );
  const [first] = earlier.toSorted((one, other) => +(one.registeredAt ?? 0) - +(other.registeredAt ?? 0));
  if (!first) return '';
  return first.registeredAt
    ? ` An image that looks the same was registered earlier, on ${dayOf(first.registeredAt)}: ${nameOf(first)}.`
    : ` It also looks like a known work, ${nameOf(first)}.`;
}

function agreement(match: Match): string {
  const since = match.registeredAt ? `, registered on ${dayOf(match.registeredAt)}` : '';
  if (match.by === 'windows')
    return `Parts of it match ${nameOf(match)}${since}: it may be cropped, rotated, framed or placed on another image.`;
  const turned = match.turn ? ' when rotated or mirrored' : '';
  return `It looks like ${nameOf(match)}${since}${turned}.`;
}
