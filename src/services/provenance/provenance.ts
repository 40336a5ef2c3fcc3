import type { Match, Provenance, Witness } from './index.ts';

/** @param witnesses in the order their testimonies are given */
export function createProvenance(witnesses: readonly Witness[]): Provenance {
  return {
    async examine(picture) {
      const sightings = await Promise.all(witnesses.map((witness) => witness.look(picture)));
      const matches = surestFirst(sightings.flatMap((sighting) => sighting.matches));
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
