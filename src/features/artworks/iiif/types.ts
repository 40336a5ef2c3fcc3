import type { ImageRequest, ImageVersion } from './image_request.ts';
import type { Asker } from './limit_per_address.ts';

/** Images of the dataset through IIIF (International Image Interoperability Framework). Free and public. */
export interface Iiif {
  /**
   * URL of an image service, without a trailing slash.
   * @throws AtelierError not_found if IIIF is off
   */
  service(id: string, version: ImageVersion): string;
  /** info.json. @throws AtelierError artwork_not_found, image_not_found, picture_unavailable, busy */
  info(id: string, version: ImageVersion, asker: Asker): Promise<object>;
  /**
   * Renders a region of an image.
   * @throws AtelierError as `info`; invalid_input
   */
  image(id: string, request: ImageRequest, asker: Asker): Promise<MadeImage>;
  /** A work as a Presentation 3 manifest. @throws AtelierError as `info` does */
  manifest(id: string, asker: Asker): Promise<object>;
  /**
   * Collection of all museums, of one museum, or of a page of its works.
   * @throws AtelierError not_found
   */
  collection(of?: { readonly museum: string; readonly part?: number | undefined }): Promise<object>;
  /**
   * Created, updated and deleted works (Change Discovery 1.0): the list of pages, or one page.
   * @throws AtelierError not_found
   */
  changes(page?: string): Promise<object>;
  /** Evicts cached files beyond the limit; returns their number. */
  sweep(): Promise<number>;
}

interface MadeImage {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Its canonical URL. */
  readonly canonical: string;
}
