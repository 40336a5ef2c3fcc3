import type { ManifestRequest } from '@atelier/imaging/provenance/c2pa/prepare_manifest.ts';
import type { ManifestReading } from '@atelier/imaging/provenance/c2pa/read_manifest.ts';
import type { TimeStampResult } from '@atelier/imaging/provenance/timestamp/result.ts';
import type { PixelControl } from '../../../core/workers/types.ts';

/** C2PA manifests in pictures. */
export interface Manifests {
  /** Reads and checks the one in a picture; nothing for a picture without. @throws AtelierError as pixels do */
  read(bytes: Uint8Array, control: PixelControl): Promise<ManifestReading | undefined>;
  /**
   * The store in a picture that `sign` has answered, and the label of its active manifest. Read without judging it: only for what was
   * signed here. Undefined where it cannot be told from another.
   */
  ownIn(signed: Uint8Array): { readonly id: string; readonly store: Uint8Array } | undefined;
  /**
   * Gives a picture a signed one, with a time stamp where an authority gives one in time. Absent where no certificate is set.
   * @throws AtelierError as pixels do
   */
  readonly sign?: (picture: SignedPicture, control: PixelControl) => Promise<SignedManifest>;
}

export interface SignedManifest {
  /** The picture with its manifest. */
  readonly bytes: Uint8Array;
  /** The time stamp of its signature, or why there is none. */
  readonly timeStamp: TimeStampResult;
}

export interface SignedPicture
  extends Pick<
    ManifestRequest,
    'training' | 'origin' | 'label' | 'isMarked' | 'beforeType' | 'actions' | 'components'
  > {
  readonly bytes: Uint8Array;
  /** As it was sent; absent: it was put together of `components`. */
  readonly before?: Uint8Array;
  /** image/png, image/jpeg, image/webp, image/tiff */
  readonly type: string;
  readonly title: string;
  readonly dataMining?: string;
}
