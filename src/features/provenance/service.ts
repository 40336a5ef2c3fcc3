import { join } from 'node:path';
import type { BaseLogger } from 'pino';
import type { Config } from '../../config/config.ts';
import { HASH_DISTANCE_MAX } from '../../config/limits.ts';
import type { Database } from '../../core/database/types.ts';
import type { Signer } from '../../core/keys/signer.ts';
import type { Services } from '../services.ts';
import type { Webhooks } from '../webhooks/types.ts';
import { distanceOf } from './chance.ts';
import { createEvidence } from './evidence/evidence.ts';
import { createHashes } from './hashes/hashes.ts';
import { createKnownWorks, readKnownWorks } from './hashes/known_works.ts';
import type { Registration } from './hashes/types.ts';
import { createMarks } from './marks/marks.ts';
import type { ExaminedPicture, Match, Provenance, Witness } from './types.ts';
import { createC2paWitness } from './witnesses/c2pa.ts';
import { createFileWitness } from './witnesses/file.ts';
import { createHashWitness } from './witnesses/hash.ts';
import { createMetadataWitness } from './witnesses/metadata.ts';
import { createWatermarkWitness } from './witnesses/watermark.ts';

/**
 * @param witnesses in the order of their testimonies
 * @param onFound receives the best match of an examined image
 */
export function createProvenance(
  witnesses: readonly Witness[],
  onFound: (match: Match, picture: ExaminedPicture) => Promise<void> = async () => {},
): Provenance {
  return {
    async examine(picture) {
      const sightings = await Promise.all(witnesses.map((witness) => witness.look(picture)));
      const matches = groupEarliestFirst(sortByConfidence(sightings.flatMap((sighting) => sighting.matches)));
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
      return groupEarliestFirst(sortByConfidence(sightings.flatMap((sighting) => sighting.matches)));
    },
  };
}

/** Probability that the match is an accident. For visual matches, `chance` is more precise than a confidence near 1. */
const doubtOf = ({ chance, confidence }: Match): number => chance ?? 1 - confidence;

/** Deduplicates matches and sorts them by confidence. Among equals: identical file first, then works, then the oldest registration. */
function sortByConfidence(matches: readonly Match[]): Match[] {
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
 * Moves the matches of the same picture to the front: the museum's work first, then registrations from the earliest on, so that a later
 * registration of a copy is not taken for the origin. Compares registrations with each other, because a crop may by accident share more
 * windows with the later one.
 */
function groupEarliestFirst(matches: readonly Match[]): Match[] {
  const [best] = matches;
  if (!best) return [];
  const [same = [], others = []] = partition(
    matches,
    (match) => match === best || isSamePicture(match, best),
  );
  return [...same.toSorted((one, other) => sinceOf(one) - sinceOf(other)), ...others];
}

/** Works precede every registration. */
const sinceOf = ({ registeredAt }: Match): number => registeredAt?.getTime() ?? Number.MIN_SAFE_INTEGER;

const partition = <T>(all: readonly T[], isOne: (one: T) => boolean): T[][] => [
  all.filter(isOne),
  all.filter((one) => !isOne(one)),
];

/** Their registered hashes match, or both match the query image as a whole, in any rotation or reflection. */
const isSamePicture = (one: Match, other: Match): boolean =>
  (one.pdq !== undefined && other.pdq !== undefined && distanceOf(one.pdq, other.pdq) <= HASH_DISTANCE_MAX) ||
  (isWhole(one) && isWhole(other));

const isWhole = ({ by }: Match): boolean => by === 'file' || by === 'picture';

/** The search for copies in an index of this registration only. */
const amongOne = (registration: Registration & { readonly windows: Uint8Array }): Provenance =>
  createProvenance([
    createHashWitness({
      hashes: {
        near: async (hashes) =>
          hashes
            .map((hash, turn) => ({ registration, turn, distance: distanceOf(hash, registration.pdq) }))
            .filter(({ distance }) => distance <= HASH_DISTANCE_MAX)
            .toSorted((one, other) => one.distance - other.distance)
            .slice(0, 1),
        sharing: async () => [],
        load: async () => ({ pictures: 1, windows: registration.windows.length / 32, memoryBytes: 0 }),
      },
      works: { near: () => [], sharing: () => [], windows: 0 },
    }),
  ]);

/** Notifies the registrant that another client has found the image, without naming that client. */
const tellRegistrant =
  (tell: Webhooks['tell']) =>
  async (
    { wallet, kind, id, by, confidence }: Match,
    { control }: Pick<ExaminedPicture, 'control'>,
  ): Promise<void> => {
    if (wallet === null || kind !== 'registration' || control.callerKey === wallet) return;
    const data = { registration_id: id, by, confidence };
    await tell({ wallet, type: 'provenance.match_found', data });
  };

interface ProvenanceDeps
  extends Pick<Services, 'pixels' | 'soulmarks' | 'manifests' | 'receipts'>,
    Pick<Webhooks, 'tell'> {
  readonly database: Database;
  /** Signs with the key of receipts. */
  readonly signer: Signer;
  readonly publicUrl: string;
  readonly logger: Pick<BaseLogger, 'error'>;
}

/** Creates the provenance service: registrations and the sources of evidence. */
export function openProvenance(
  config: Config,
  { database, logger, pixels, soulmarks, manifests, receipts, signer, publicUrl, tell }: ProvenanceDeps,
): Pick<Services, 'marks' | 'hashes' | 'provenance' | 'provenanceAmong' | 'evidence'> {
  const marks = createMarks({ database, signer, receipts, publicUrl });
  const hashes = createHashes(database, { folder: join(config.DATA_DIR, 'hashes') });
  hashes.warm().catch((error) => logger.error({ err: error }, 'failed to load the perceptual hash index'));
  const works = createKnownWorks(readKnownWorks());
  const provenance = createProvenance(
    [
      createHashWitness({
        hashes,
        works,
        regionsOf: async ({ bytes, control }) =>
          (await pixels.run('fingerprint_regions', { bytes }, control)).windows,
        likenessOf: ({ bytes, control }, original, turn) =>
          pixels.run('likeness', { bytes, original, turn }, control),
      }),
      createWatermarkWitness({ pixels, marks, hashes }),
      createMetadataWitness({ pixels, soulmarks }),
      createC2paWitness(manifests),
      createFileWitness(hashes),
    ],
    tellRegistrant(tell),
  );
  const evidence = createEvidence({ pixels, manifests, soulmarks, marks });
  return { marks, hashes, provenance, provenanceAmong: amongOne, evidence };
}
