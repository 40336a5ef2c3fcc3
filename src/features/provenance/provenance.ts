import { HASH_DISTANCE_MAX } from '../../config/limits.ts';
import { distanceOf } from './chance.ts';
import type { ExaminedPicture, Match, Provenance, Witness } from './types.ts';

/**
 * @param witnesses in the order their testimonies are given
 * @param onFound told the best match of a picture that was examined
 */
export function createProvenance(
  witnesses: readonly Witness[],
  onFound: (match: Match, picture: ExaminedPicture) => Promise<void> = async () => {},
): Provenance {
  return {
    async examine(picture) {
      const sightings = await Promise.all(witnesses.map((witness) => witness.look(picture)));
      const matches = firstComeFirst(sortSurestFirst(sightings.flatMap((sighting) => sighting.matches)));
      const testimonies = sightings.map((sighting, at) => ({
        witness: witnesses[at]!.name,
        ...sighting.judge(matches[0]),
      }));
      const readings = Object.assign({}, ...sightings.map(({ read }) => read));
      if (matches[0]) await onFound(matches[0], picture);
      return { matches, testimonies, readings };
    },
    async priorArt(picture) {
      const sightings = await Promise.all(
        witnesses
          .filter(({ name }) => name === 'hash' || name === 'file')
          .map((witness) => witness.look(picture)),
      );
      return firstComeFirst(sortSurestFirst(sightings.flatMap((sighting) => sighting.matches)));
    },
  };
}

/** How likely the match is an accident. The chance of a match by looks tells it finer than a confidence near 1 does. */
const doubtOf = ({ chance, confidence }: Match): number => chance ?? 1 - confidence;

/** Each once, by its surest sighting. Of equally sure ones that of the very file goes first, then a work, then the oldest. */
function sortSurestFirst(matches: readonly Match[]): Match[] {
  const sorted = matches.toSorted(
    (one, other) =>
      doubtOf(one) - doubtOf(other) ||
      Number(other.by === 'file') - Number(one.by === 'file') ||
      Number(other.kind === 'work') - Number(one.kind === 'work') ||
      (one.registeredAt?.getTime() ?? 0) - (other.registeredAt?.getTime() ?? 0),
  );
  return [...Map.groupBy(sorted, ({ id }) => id).values()].map((own) => {
    const preview = own.find((match) => match.preview)?.preview;
    return { ...own[0]!, ...(preview && { preview }) };
  });
}

/**
 * Puts what is known of the picture found before all others: a work of a museum, then the registrations, the earliest first.
 * Whoever registers a copy later is not taken for its origin. They are compared with each other, for a crop may show a few more windows of the later one by accident.
 */
function firstComeFirst(matches: readonly Match[]): Match[] {
  const [best] = matches;
  if (!best) return [];
  const [same = [], others = []] = partition(
    matches,
    (match) => match === best || isSamePicture(match, best),
  );
  return [...same.toSorted((one, other) => sinceOf(one) - sinceOf(other)), ...others];
}

/** A work was there before anybody registered a copy. */
const sinceOf = ({ registeredAt }: Match): number => registeredAt?.getTime() ?? Number.MIN_SAFE_INTEGER;

const partition = <T>(all: readonly T[], isOne: (one: T) => boolean): T[][] => [
  all.filter(isOne),
  all.filter((one) => !isOne(one)),
];

/** As they were registered; or both like the picture that was sent, however each was turned or mirrored. */
const isSamePicture = (one: Match, other: Match): boolean =>
  (one.pdq !== undefined && other.pdq !== undefined && distanceOf(one.pdq, other.pdq) <= HASH_DISTANCE_MAX) ||
  (isWhole(one) && isWhole(other));

const isWhole = ({ by }: Match): boolean => by === 'file' || by === 'picture';
