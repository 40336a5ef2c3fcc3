import { findObjects } from '@atelier/imaging/vision/find_objects.ts';
import { maskPeople, peopleIn } from '@atelier/imaging/vision/find_people.ts';
import { nameSubjects } from '@atelier/imaging/vision/name_subjects.ts';
import { namedObjects } from '@atelier/imaging/vision/named_objects.ts';
import { rateContent } from '@atelier/imaging/vision/rate_content.ts';
import type { Seen } from '@atelier/imaging/vision/seen.ts';
import { smallCopy } from '@atelier/imaging/vision/small_copy.ts';
import { findFacesWith } from './find_faces_with.ts';
import { findLinesWith, type LineFinders } from './find_lines_with.ts';
import { openGraph, type StoredFile } from './open_models.ts';
import { openTermEmbedder, type TermEmbedderFile } from './run_look_for_terms.ts';

export interface SeeRequest {
  readonly bytes: Uint8Array;
  readonly networks: VisionModels;
}

/** Models for analysis; absent ones are skipped. */
export interface VisionModels extends LineFinders {
  readonly faces?: StoredFile;
  readonly people?: StoredFile;
  readonly rating?: StoredFile;
  readonly tagger?: StoredFile;
  readonly objects?: StoredFile;
  readonly embedder?: TermEmbedderFile;
}

/**
 * Analyses an image with every given model, sequentially: each uses all cores, and stays open in this process for the next image. The image
 * is decoded once.
 * @throws AtelierError model_unavailable; EngineError of the image
 */
export async function runSee({ bytes, networks }: SeeRequest): Promise<Seen> {
  const copy = await smallCopy(bytes);
  const faces = networks.faces && (await findFacesWith(copy, networks.faces));
  const writing = await findLinesWith(copy, networks);
  const mask = networks.people && (await maskPeople(copy, await openGraph(networks.people)));
  const people = mask && peopleIn(mask, faces ?? []);
  const rating =
    networks.rating && (await rateContent(copy, await openGraph(networks.rating), { mask, faces }));
  const tagger = networks.tagger && (await openGraph(networks.tagger));
  const embedder = networks.embedder && (await openTermEmbedder(networks.embedder));
  const namers = { ...(tagger && { tagger }), ...(embedder && { embedder }) };
  const subjects = tagger || embedder ? await nameSubjects(copy, namers) : undefined;
  const objects = networks.objects && (await findObjects(copy, await openGraph(networks.objects)));
  return {
    ...(faces && { faces, facesBy: networks.faces!.name }),
    ...(writing && { writing, writingBy: (networks.reader?.detection ?? networks.writing)!.name }),
    ...(objects && { objects: namedObjects(objects, subjects ?? []), objectsBy: networks.objects!.name }),
    ...(people && { people }),
    ...(rating && { rating }),
    ...(subjects && { subjects }),
  };
}
