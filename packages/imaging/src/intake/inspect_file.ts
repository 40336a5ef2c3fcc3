import type { PictureFormat } from '../codecs/identify.ts';
import { readHeader } from '../codecs/read_header.ts';
import { profileName } from '../color/profile_name.ts';
import type { FileIdentity } from '../identify/file_identity.ts';
import { type ForeignFormat, foreignFormatOf, identifyForeign } from '../identify/foreign_format.ts';
import { identifyFile, shownSides } from '../identify/identify_file.ts';
import { type FileClaims, readClaims, readPackets } from '../metadata/read_metadata.ts';
import { type IntakeNotes, notesOf } from './intake_notes.ts';

export const INSPECT_ENGINE = { name: 'atelier-file-identity', version: '1' } as const;

/** Properties of the image in a file, without the bytes of its profile. */
export interface InspectedFile extends Omit<FileIdentity, 'color'> {
  readonly format: PictureFormat | ForeignFormat;
  readonly shown: { readonly width: number; readonly height: number };
  readonly color: { readonly source: FileIdentity['color']['source']; readonly name: string };
  readonly claims: FileClaims;
  readonly hasManifest: boolean;
  readonly notes: IntakeNotes;
}

/**
 * Reads all properties of a file that need no decoding.
 * @throws EngineError unsupported_image, undecodable_image, image_too_large
 */
export function inspectFile({ bytes }: { readonly bytes: Uint8Array }): InspectedFile {
  const foreign = foreignFormatOf(bytes);
  const format = foreign ?? readHeader(bytes).format;
  const { color, ...identity } = foreign
    ? identifyForeign(foreign, bytes)
    : identifyFile(format as PictureFormat, bytes);
  const { profile, coding, source } = color;
  return {
    ...identity,
    format,
    shown: shownSides(identity),
    color: { source, name: coding?.name ?? (profile ? profileName(profile) : colorsWithout(identity)) },
    claims: readClaims({ bytes }),
    hasManifest: readPackets(bytes).hasManifest,
    notes: notesOf(format, { ...identity, color }),
  };
}

/** Assumed colours of a file without colour information. */
const colorsWithout = ({ samples }: Pick<FileIdentity, 'samples'>): string =>
  samples.model === 'cmyk' ? 'CMYK without a profile' : samples.model === 'lab' ? 'CIE Lab' : 'sRGB';
