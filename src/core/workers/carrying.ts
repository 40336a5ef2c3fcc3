import type { IntakeNotes } from '@atelier/imaging/intake/intake_notes.ts';
import type { UsedPage } from '@atelier/imaging/intake/prepare_picture.ts';
import type { CarriedMetadata, CarryWish } from '@atelier/imaging/metadata/passthrough/carried.ts';
import type { Result } from '@atelier/imaging/metadata/passthrough/carry_metadata.ts';

/** The file a picture came from, for engines that hand on its metadata. */
export interface SentFile {
  readonly bytes: Uint8Array;
  readonly lost: IntakeNotes['lost'];
  /** Of a file with several pages. */
  readonly pages?: UsedPage | undefined;
}

/** Without a request nothing is carried over or reported. */
export interface Carrying {
  readonly carry?: CarryWish;
  /** The file the picture came from, which metadata is read from; absent: the picture itself. */
  readonly sentFile?: SentFile;
}

/** `fraction` from 0 to 1; `message` for a person. */
export type OnProgress = (fraction: number, message: string) => void;

/** The report without a request. */
export const NOTHING: CarriedMetadata = { kept: [], changed: [], dropped: [] };

/** What became of the metadata, and of the parts of the file that were not looked at. */
export const withLost = (metadata: CarriedMetadata, file: SentFile | undefined): CarriedMetadata =>
  file && file.lost.length > 0 ? { ...metadata, dropped: [...metadata.dropped, ...file.lost] } : metadata;

/**
 * An engine whose result takes over what its source says about itself. In the same process, so that no picture is copied between
 * processes for it.
 */
export const carrying =
  <Input extends { readonly bytes: Uint8Array }, Made extends Result>(
    run: (input: Input, onProgress: OnProgress) => Promise<Made>,
  ) =>
  async (
    { carry, sentFile, ...input }: Input & Carrying,
    onProgress: OnProgress,
  ): Promise<Made & { metadata: CarriedMetadata }> => {
    const made = await run(input as unknown as Input, onProgress);
    if (!carry) return { ...made, metadata: NOTHING };
    const { carryMetadata } = await import('@atelier/imaging/metadata/passthrough/carry_metadata.ts');
    const { bytes } = input as unknown as Input;
    const carried = await carryMetadata({ file: sentFile?.bytes ?? bytes, picture: bytes }, made, carry);
    return { ...made, bytes: carried.bytes, metadata: withLost(carried.metadata, sentFile) };
  };
