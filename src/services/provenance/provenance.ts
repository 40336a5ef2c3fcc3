import type { Match, Provenance, Witness } from './index.ts';

/** @param witnesses in the order their testimonies are given */
export function createProvenance(witnesses: readonly Witness[]): Provenance {
  return {
    async examine(picture) {
      const sightings = await Promise.all(witnesses.map((witness) => witness.look(picture)));
      const matches = firstComeFirst(surestFirst(sightings.flatMap((sighting) => sighting.matches)));
      const testimonies = sightings.map((sighting, at) => ({
        witness: witnesses[at]!.name,
        ...sighting.judge(matches[0]),
      }));
      return { matches, testimonies };
    },
    async priorArt(picture) {
      const sightings = await Promise.all(
        witnesses
          .filter(({ name }) => name === 'hash' || name === 'file')
          .map((witness) => witness.look(picture)),
      );
      return surestFirst(sightings.flatMap((sighting) => sighting.matches));
    },
  };
}

/** Each once, by its surest sighting. Of equally sure ones that of the very file goes first, then a work, then the oldest. */
function surestFirst(matches: readonly Match[]): Match[] {
  const sorted = matches.toSorted(
    (one, other) =>
      other.confidence - one.confidence ||
      Number(other.by === 'file') - Number(one.by === 'file') ||
      Number(other.kind === 'work') - Number(one.kind === 'work') ||
      (one.registeredAt?.getTime() ?? 0) - (other.registeredAt?.getTime() ?? 0),
  );
  return [...Map.groupBy(sorted, ({ id }) => id).values()].map(([surest]) => surest!);
}

/** Up to 21 of 256 bits apart: pictures that differ more may only resemble each other. */
const SAME_LOOKS_CONFIDENCE = 0.5;

/** Of registrations that look the same, the earliest goes first: whoever registers a copy later is not taken for its origin. */
function firstComeFirst(matches: readonly Match[]): Match[] {
  const looksTheSame = ({ by, confidence }: Match) =>
    by === 'file' || (by === 'picture' && confidence >= SAME_LOOKS_CONFIDENCE);
  const [best] = matches;
  if (best?.registeredAt == null || !looksTheSame(best)) return [...matches];
  const first = matches
    .filter(looksTheSame)
    .reduce((one, other) =>
      +(other.registeredAt ?? Infinity) < +(one.registeredAt ?? Infinity) ? other : one,
    );
  return [first, ...matches.filter((match) => match !== first)];
}
