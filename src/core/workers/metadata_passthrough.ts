import type { IntakeNotes } from '@atelier/imaging/intake/intake_notes.ts';
import type { UsedPage } from '@atelier/imaging/intake/prepare_picture.ts';
import type { CarriedMetadata, CarryWish } from '@atelier/imaging/metadata/passthrough/carried.ts';
import type { Result } from '@atelier/imaging/metadata/passthrough/carry_metadata.ts';

/** The original file of an image, for engines that copy its metadata. */
export interface SentFile {
  readonly bytes: Uint8Array;
  readonly lost: IntakeNotes['lost'];
  /** Used pages of a file with several. */
  readonly pages?: UsedPage | undefined;
}

/** Metadata passthrough. Without a request, nothing is copied or reported. */
export interface MetadataPassthrough {
  readonly carry?: CarryWish;
  /** The original file, from which metadata is read. Default: the image itself. */
  readonly sentFile?: SentFile;
}

/** `fraction` from 0 to 1; `message` is shown to users. */
export type OnProgress = (fraction: number, message: string) => void;

/** The report without a request. */
export const NOTHING: CarriedMetadata = { kept: [], changed: [], dropped: [] };

/** Adds the parts of the file that were not used to the metadata report. */
export const withLost = (metadata: CarriedMetadata, file: SentFile | undefined): CarriedMetadata =>
  file && file.lost.length > 0 ? { ...metadata, dropped: [...metadata.dropped, ...file.lost] } : metadata;

/**
 * Decorates an engine: copies the metadata of the source to its result, in the same process, so that images are not copied between
 * processes.
 */
export const withMetadataPassthrough =
  <Input extends { readonly bytes: Uint8Array }, Made extends Result>(
    run: (input: Input, onProgress: OnProgress) => Promise<Made>,
  ) =>
  async (
    { carry, sentFile, ...input }: Input & MetadataPassthrough,
    onProgress: OnProgress,
  ): Promise<Made & { metadata: CarriedMetadata }> => {
    const made = await run(input as unknown as Input, onProgress);
    if (!carry) return { ...made, metadata: NOTHING };
    const { carryMetadata } = await import('@atelier/imaging/metadata/passthrough/carry_metadata.ts');
    const { bytes } = input as unknown as Input;
    const carried = await carryMetadata({ file: sentFile?.bytes ?? bytes, picture: bytes }, made, carry);
    return { ...made, bytes: carried.bytes, metadata: withLost(carried.metadata, sentFile) };
  };
