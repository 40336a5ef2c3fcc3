import type { Rendering } from '@atelier/imaging/color/press_link.ts';
import type { CarriedMetadata } from '@atelier/imaging/metadata/passthrough/carried.ts';
import { carryIntoDocument } from '@atelier/imaging/metadata/passthrough/carry_into_document.ts';
import {
  type LayoutSheetsRequest,
  layoutSheets,
  type PrintedLayout,
} from '@atelier/imaging/print/layout/layout_sheets.ts';
import type { SourceResources } from '@atelier/imaging/print/layout/sources.ts';
import { DECODER_RESOURCES } from './decoder_resources.ts';
import { fileSink } from './file_sink.ts';
import { type MetadataPassthrough, NOTHING, withLost } from './metadata_passthrough.ts';
import { openLinkToPress, openPress, type PressFile, pressColors } from './open_press.ts';
import { TEXT_RESOURCES } from './text_resources.ts';
import { withPrepared } from './with_prepared.ts';

export interface LayoutRequest
  extends Omit<LayoutSheetsRequest, 'files' | 'carried'>,
    Pick<MetadataPassthrough, 'carry'> {
  readonly bytes: Uint8Array;
  /** Further images, placed after the first. */
  readonly images: readonly Uint8Array[];
  readonly press: PressFile;
  readonly rendering: Rendering;
  /** Output path; the file must not exist. */
  readonly path: string;
}

export interface LaidOutFile extends PrintedLayout {
  /** Name of the output profile. */
  readonly profile: string;
  readonly metadata: CarriedMetadata;
}

const RESOURCES: SourceResources = {
  ...DECODER_RESOURCES,
  readFont: TEXT_RESOURCES.readFont,
  prepare: (bytes, options) =>
    withPrepared(bytes, async (picture) => ({ bytes: picture.bytes, of: picture.pages?.of ?? 1 }), options),
};

/** Arranges pieces on paper for a printing condition whose profile is stored on the disk. */
export async function runLayout(
  { bytes, images, press, rendering, path, carry, ...wish }: LayoutRequest,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<LaidOutFile> {
  const { name } = openPress(press);
  const carried = carry && (await carriedFrom(bytes, { carry, colors: name }));
  const drawings = openLinkToPress(press, { ...rendering, keepsBlack: true });
  const { printed, write } = await layoutSheets(
    { ...wish, files: [bytes, ...images], carried: carried?.packets },
    { ...pressColors(press, rendering), drawings },
    RESOURCES,
    onProgress,
  );
  const sink = fileSink(path);
  try {
    write(sink);
  } finally {
    sink.close();
  }
  return { ...printed, profile: name, metadata: carried?.metadata ?? NOTHING };
}

/** Metadata of the first file. */
const carriedFrom = (
  bytes: Uint8Array,
  { carry, colors }: { carry: NonNullable<MetadataPassthrough['carry']>; colors: string },
) =>
  withPrepared(bytes, async ({ bytes: picture, notes }) => {
    const document = { container: 'pdf', width: 0, height: 0, colors } as const;
    const carried = await carryIntoDocument({ file: bytes, picture }, document, carry);
    return { ...carried, metadata: withLost(carried.metadata, { bytes, lost: notes.lost }) };
  });
