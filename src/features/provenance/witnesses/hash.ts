import { HASH_QUALITY_MIN } from '../../../config/limits.ts';
import { chanceOf } from '../chance.ts';
import type { KnownWork, KnownWorks } from '../hashes/known_works.ts';
import type { Hashes, Near, Sharing } from '../hashes/types.ts';
import { registeredMatch } from '../registered_match.ts';
import type { ExaminedPicture, Match, Testimony, Witness } from '../types.ts';
import { dayOf, nameOf } from '../wording.ts';

interface HashWitnessDeps {
  readonly hashes: Pick<Hashes, 'near' | 'sharing' | 'load'>;
  readonly works: KnownWorks;
}

/** Whether the image is visually similar to a registered image or a known work: as a whole, rotated, mirrored, or in regions. */
export function createHashWitness({ hashes, works }: HashWitnessDeps): Witness {
  return {
    name: 'hash',
    async look(picture) {
      const isFlat = picture.fingerprint.quality < HASH_QUALITY_MIN;
      const matches = isFlat ? [] : await matchesOf({ hashes, works }, picture);
      return { matches, judge: (best) => testimony(matches, best, isFlat) };
    },
  };
}

/** Searches by windows only if no whole image matches, because that search takes longer. */
async function matchesOf(
  { hashes, works }: HashWitnessDeps,
  { fingerprint }: ExaminedPicture,
): Promise<Match[]> {
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
  const sharing = await hashes.sharing(fingerprint.windows);
  const asked = fingerprint.windows.length / 32;
  const found = sharing.map(({ registration, ...shared }: Sharing) =>
    registeredMatch(registration, inParts(shared, windows * asked)),
  );
  const worksInParts = works
    .sharing(fingerprint.windows)
    .map(({ work, ...shared }) => workMatch(work, inParts(shared, works.windows * asked)));
  const inPartsOf = [...worksInParts, ...found];
  return [...inPartsOf, ...(await otherRegistrationsOf(inPartsOf, hashes))];
}

/** Images found by windows whose other registrations are searched. */
const FOUND_MAX = 10;

/**
 * Other registrations of the images found, which may by accident share no window with the crop; the first registration may be among them.
 * They get the confidence of the match they resemble.
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
      sentence:
        'The picture is too flat to be told from other flat pictures, so its looks were not compared.',
    };
  }
  if (best && best.by !== 'file') {
    return {
      finding: 'conflict',
      sentence: `It does not look like ${nameOf(best)}, to which another witness points.`,
    };
  }
  return {
    finding: 'absent',
    sentence:
      'No registered picture looks like this one. That is no evidence against it: most pictures are not registered.',
  };
}

/** Names the earlier registration, so that a later registration of the same image does not pass for the first. */
function earlierThan({ registeredAt }: Match, matches: readonly Match[]): string {
  const earlier = matches.filter(
    (other) => other.by === 'picture' && +(other.registeredAt ?? 0) < +(registeredAt ?? 0),
  );
  const [first] = earlier.toSorted((one, other) => +(one.registeredAt ?? 0) - +(other.registeredAt ?? 0));
  if (!first) return '';
  return first.registeredAt
    ? ` A picture that looks the same was registered before it, on ${dayOf(first.registeredAt)}: ${nameOf(first)}.`
    : ` It also looks like a known work, ${nameOf(first)}.`;
}

function agreement(match: Match): string {
  const since = match.registeredAt ? `, registered on ${dayOf(match.registeredAt)}` : '';
  if (match.by === 'windows')
    return `Parts of it are those of ${nameOf(match)}${since}: it may be cropped, turned or framed.`;
  const turned = match.turn ? ' once it is turned or mirrored' : '';
  return `It looks like ${nameOf(match)}${since}${turned}.`;
}
