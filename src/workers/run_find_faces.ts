import { type Face, findFaces } from '@atelier/engines/sight/find_faces.ts';
import { openGraph, type StoredFile } from './open_models.ts';

export interface FindFacesRequest {
  readonly bytes: Uint8Array;
  readonly network: StoredFile;
}

/** Finds faces with a network that stays open in this process for the next picture. */
export const runFindFaces = async ({ bytes, network }: FindFacesRequest): Promise<Face[]> =>
  findFaces(bytes, await openGraph(network));
