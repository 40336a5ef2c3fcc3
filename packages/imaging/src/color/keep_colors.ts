import { identify, type PictureFormat } from '../codecs/identify.ts';
import type { OutputFormat } from '../encoders/formats.ts';
import type { Finish } from '../encoders/save_picture.ts';
import { identifyFile } from '../identify/identify_file.ts';
import { withoutProfile, withProfile } from '../metadata/containers/color_profile.ts';
import { isWorkableProfile } from './wide_profile.ts';

/** Formats whose files get a profile here. */
const HOLDS: ReadonlySet<OutputFormat> = new Set(['png', 'apng', 'jpeg', 'webp', 'tiff']);
const CONTAINERS: Readonly<Record<string, PictureFormat>> = {
  'image/png': 'png',
  'image/apng': 'png',
  'image/jpeg': 'jpeg',
  'image/webp': 'webp',
  'image/tiff': 'tiff',
};

export interface KeptColors {
  /** The image without its profile; sample values are unchanged. */
  readonly bytes: Uint8Array;
  /** Puts the profile into a result. */
  attach(made: Parameters<Finish>[0]): Uint8Array;
}

/**
 * Prepares a wide-gamut image for processing in its own primaries: engines treat its samples as sRGB, whose curve they share, and the
 * result gets the profile back.
 * @param picture as prepared for engines
 * @returns undefined if the colours must be converted or are already sRGB
 */
export function keepColors(picture: Uint8Array, format: OutputFormat): KeptColors | undefined {
  const kind = identify(picture);
  if (!HOLDS.has(format) || !('format' in kind)) return undefined;
  const { profile } = identifyFile(kind.format, picture).color;
  if (!profile || !isWorkableProfile(profile)) return undefined;
  const bytes = withoutProfile(picture, kind.format);
  if (!bytes) return undefined;
  const attach: KeptColors['attach'] = (made) => {
    const container = CONTAINERS[made.contentType];
    return (container && withProfile(made.bytes, container, { icc: profile, size: made })) ?? made.bytes;
  };
  return { bytes, attach };
}
