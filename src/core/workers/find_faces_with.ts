import { type Face, findFaces } from '@atelier/imaging/vision/find_faces.ts';
import { findFacesFullRange } from '@atelier/imaging/vision/find_faces_full_range.ts';
import { openGraph, type StoredFile } from './open_models.ts';

/** MediaPipe's detector, an alternative to YuNet. */
const FULL_RANGE = 'face_full_range';

/** Detects faces with the installed model. @throws AtelierError model_unavailable; EngineError of the image */
export const findFacesWith = async (bytes: Uint8Array, network: StoredFile): Promise<Face[]> =>
  (network.name === FULL_RANGE ? findFacesFullRange : findFaces)(bytes, await openGraph(network));
