import type { Size } from '../pixels/plane.ts';
import { basicMetadata } from './basic_metadata.ts';

/** Sides of a picture after a camera's turn has been applied. @throws EngineError undecodable_image, unsupported_image, image_too_large */
export const shownSize = async (bytes: Uint8Array): Promise<Size> => (await basicMetadata(bytes)).upright;
