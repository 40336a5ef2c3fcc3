import type { ImageRequest, ImageVersion } from './image_request.ts';
import type { Asker } from './turns_by_address.ts';

/** The pictures of the dataset by the interfaces of the International Image Interoperability Framework. Free, for everybody. */
export interface Iiif {
  /** Address of a picture as an image service, without a slash at its end. @throws AtelierError not_found where it is switched off */
  service(id: string, version: ImageVersion): string;
  /** info.json. @throws AtelierError artwork_not_found, image_not_found, picture_unavailable, busy */
  info(id: string, version: ImageVersion, asker: Asker): Promise<object>;
  /** A part of a picture. @throws AtelierError as `info` does; invalid_input */
  image(id: string, request: ImageRequest, asker: Asker): Promise<MadeImage>;
  /** A work as a Presentation 3 manifest. @throws AtelierError as `info` does */
  manifest(id: string, asker: Asker): Promise<object>;
  /** Every museum as a collection; one museum; a stretch of its works. @throws AtelierError not_found */
  collection(of?: { readonly museum: string; readonly part?: number | undefined }): Promise<object>;
  /** What has come, changed and gone, by Change Discovery 1.0: the list of pages, or one. @throws AtelierError not_found */
  changes(page?: string): Promise<object>;
  /** Makes room among what is kept. */
  sweep(): Promise<number>;
}

interface MadeImage {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Its canonical address. */
  readonly canonical: string;
}
