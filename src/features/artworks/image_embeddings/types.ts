import type { Origin } from '../../models/types.ts';
import type { ImageQueue } from '../images/image_queue.ts';
import type { NearestQuery, NearVector } from '../semantic_search/types.ts';

/**
 * Finds works by image embedding, from a text or a similar image. Images passed to `note` are encoded in the
 * background.
 */
export interface ImageEmbeddings extends ImageQueue {
  /** The installed encoder pair. Undefined: search by image embedding is off. */
  network(): Promise<EncoderNetwork | undefined>;
  /**
   * Works whose image embeddings are nearest to the text.
   * @throws AtelierError where embeddings are unavailable
   */
  nearText(text: string, wanted: NearestQuery): Promise<NearVector[]>;
  /**
   * Works whose image embeddings are nearest to this image.
   * @throws AtelierError of the image; where embeddings are unavailable
   */
  nearPicture(bytes: Uint8Array, wanted: NearestQuery, signal: AbortSignal): Promise<NearVector[]>;
  /**
   * Number of works with an image embedding.
   * @throws AtelierError busy while embeddings are being loaded
   */
  size(): Promise<number>;
  /**
   * Encodes the image of a work and stores the embedding.
   * @throws AtelierError of the image, model_unavailable, busy
   */
  keep(id: string, source: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /**
   * Encodes stored images without an embedding, resuming after the last call.
   * @returns the number encoded
   * @throws AtelierError model_unavailable, busy
   */
  catchUp(edition: number, wanted: CatchUp): Promise<number>;
}

export interface EncoderNetwork {
  readonly name: string;
  readonly origin: Origin;
}

export interface CatchUp {
  /** Maximum number of images. */
  readonly max: number;
  readonly signal: AbortSignal;
  onProgress?(done: number): void;
}

/** Whether image embeddings contributed to a result. */
export interface ImageEmbeddingsUsed {
  readonly used: boolean;
  /** Number of works with an image embedding. */
  readonly known: number;
  /** Why they did not contribute. */
  readonly why?: string;
  /** Absent: no encoder pair is installed. */
  readonly network?: EncoderNetwork;
}
