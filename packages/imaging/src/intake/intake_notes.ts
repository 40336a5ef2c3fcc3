import type { PictureFormat } from '../codecs/identify.ts';
import type { DecodedFormat } from '../decoders/types.ts';
import type { ColorSource, FileIdentity } from '../identify/file_identity.ts';

/** Notes for the client on how its file was read. */
export interface IntakeNotes {
  /** The part of the file that was used, if not all of it: "page 2 of 2", "frame 1 of 3". */
  readonly lookedAt?: string | undefined;
  readonly warnings: readonly string[];
  /** Parts of the file that are in no result, as entries of `metadata.dropped`. */
  readonly lost: readonly { readonly what: string; readonly why: string }[];
}

const SOURCES: Readonly<Record<ColorSource, string>> = {
  icc: 'its profile',
  cicp: 'cICP',
  nclx: 'nclx',
  srgb: 'sRGB',
  gama_chrm: 'gAMA and cHRM',
  exif: 'Exif',
  tiff_tags: 'its tags',
  default: 'nothing',
};

/** The notes that are known before decoding. */
export function notesOf(format: PictureFormat | DecodedFormat, identity: FileIdentity): IntakeNotes {
  const { color, samples, faults } = identity;
  const others = samples.extra.filter((kind) => kind === 'other').length;
  const parts = partsOf(format, identity);
  return {
    lookedAt: parts?.lookedAt,
    warnings: [
      ...(parts ? [parts.warning] : []),
      ...(color.coding ? [colorNote(identity)] : []),
      ...(others > 0 && format === 'tiff'
        ? [
            `${others === 1 ? 'A channel' : `${others} channels`} in addition to the colours (spot colour or mask) ${others === 1 ? 'was' : 'were'} dropped.`,
          ]
        : []),
      ...(faults.length > 0 ? [repairNote(faults.join('; '))] : []),
    ],
    lost: parts?.lost ? [parts.lost] : [],
  };
}

function partsOf(format: PictureFormat | DecodedFormat, { animation, pages }: FileIdentity) {
  if (animation) {
    const { frames } = animation;
    return {
      lookedAt: `frame 1 of ${frames}`,
      warning: `The file is an animation of ${frames} frames; frame 1 was used.`,
      lost: { what: 'frames', why: `only frame 1 of ${frames} was used` },
    };
  }
  if (!pages) return undefined;
  const { used, of, losesOthers } = pages;
  const noun = ['avif', 'heic', 'ico'].includes(format) ? 'image' : 'page';
  const lookedAt = `${noun} ${used} of ${of}`;
  if (!losesOthers)
    return { lookedAt, warning: `The file starts with a reduced copy; ${lookedAt} was used.` };
  return {
    lookedAt,
    warning: `The file has ${of} ${noun}s; ${noun} ${used} was used.`,
    lost: { what: `${noun}s`, why: `only ${lookedAt} was used` },
  };
}

function colorNote({ color: { source, coding }, hdr }: FileIdentity): string {
  const said = `Its colours are ${coding!.name}, as ${SOURCES[source]} says`;
  return hdr
    ? `${said}: highlights above white were tone-mapped to the range of a standard screen.`
    : `${said}, and were converted from that.`;
}

/** Warning about a fault that was repaired. */
export const repairNote = (fault: string): string =>
  `The file has a harmless fault, which was repaired: ${fault.trim().replace(/\.$/, '')}.`;

/** Warning about samples that were scaled to 16 bits. */
export const scaledNote = (range: string): string =>
  `Its samples are numbers from ${range}; they were scaled so that the highest is white.`;
