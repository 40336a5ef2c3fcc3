import type { Size } from '../pixels/plane.ts';
import { basicMetadata } from './basic_metadata.ts';

/** Size of an image after its Exif orientation. @throws EngineError undecodable_image, unsupported_image, image_too_large */
export const shownSize = async (bytes: Uint8Array): Promise<Size> => (await basicMetadata(bytes)).upright;
