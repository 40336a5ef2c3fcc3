import { type KeptColors, keepColors } from '@atelier/imaging/color/keep_colors.ts';
import {
  type ConvertedImage,
  type ConvertRequest,
  convertImage,
  type Losses,
} from '@atelier/imaging/convert/convert_image.ts';
import type { OutputFormat } from '@atelier/imaging/encoders/formats.ts';
import type { Finish, SavedPicture } from '@atelier/imaging/encoders/save_picture.ts';
import type { CarriedMetadata } from '@atelier/imaging/metadata/passthrough/carried.ts';
import { carryMetadata } from '@atelier/imaging/metadata/passthrough/carry_metadata.ts';
import { type ResizeToFormatRequest, resizeToFormat } from '@atelier/imaging/resize/resize_image.ts';
import { DECODER_RESOURCES } from './decoder_resources.ts';
import { type MetadataPassthrough, NOTHING } from './metadata_passthrough.ts';
import { runResize as resizeStill } from './run_resize.ts';
import { zipFiles } from './zip_files.ts';

type Converted = ConvertedImage & { readonly metadata: CarriedMetadata };

/** Handling of colours outside sRGB. Default: preserved if the format supports profiles. */
export interface ColorOptions {
  readonly color?: 'keep' | 'srgb' | undefined;
}

export const runConvert = ({
  carry,
  sentFile,
  color,
  ...request
}: ConvertRequest & MetadataPassthrough & ColorOptions): Promise<Converted> => {
  const isOnePicture = request.pages === undefined && isStill(request) && !sentFile?.lost.length;
  const kept = isOnePicture ? preservedColors(request, color) : undefined;
  return saveWithMetadata(request.bytes, { carry, sentFile, kept }, (finish) =>
    convertImage(
      { ...request, bytes: kept?.bytes ?? request.bytes, file: sentFile?.bytes },
      { decoders: DECODER_RESOURCES, zip: zipFiles },
      finish,
    ),
  );
};

export const runResize = ({
  carry,
  sentFile,
  color,
  ...request
}: ResizeToFormatRequest & MetadataPassthrough & ColorOptions): Promise<Converted> => {
  const kept = isStill(request) ? preservedColors(request, color) : undefined;
  return saveWithMetadata(request.bytes, { carry, sentFile, kept }, (finish) =>
    resizeToFormat(
      { ...request, bytes: kept?.bytes ?? request.bytes, file: sentFile?.bytes },
      resizeStill,
      finish,
    ),
  );
};

/** Frames of an animation are decoded to sRGB. */
const isStill = ({ frames, frameCount = 1 }: Pick<ResizeToFormatRequest, 'frames' | 'frameCount'>): boolean =>
  frames !== 'all' || frameCount === 1;

/** Prepares an image to keep its wide-gamut colours; undefined if they are converted to sRGB. */
export const preservedColors = (
  { bytes, format }: { readonly bytes: Uint8Array; readonly format: OutputFormat },
  color: ColorOptions['color'],
): KeptColors | undefined => (color === 'srgb' ? undefined : keepColors(bytes, format));

interface Carried {
  readonly carry: MetadataPassthrough['carry'];
  readonly sentFile: MetadataPassthrough['sentFile'];
  readonly kept?: KeptColors | undefined;
}

/** Writes metadata into every attempted file, because it counts towards the client's byte limit. */
export async function saveWithMetadata<Made extends SavedPicture & Partial<Losses & { readsParts: boolean }>>(
  picture: Uint8Array,
  { carry, sentFile, kept }: Carried,
  run: (finish: Finish) => Promise<Made>,
): Promise<Made & { readonly metadata: CarriedMetadata }> {
  let metadata = NOTHING;
  const made = await run(async (written) => {
    const file = kept ? { ...written, bytes: kept.attach(written) } : written;
    if (!carry) return file.bytes;
    const carried = await carryMetadata({ file: sentFile?.bytes ?? picture, picture }, file, carry);
    metadata = carried.metadata;
    return carried.bytes;
  });
  const { changed = [], dropped = [], readsParts = false } = made;
  const named = new Set(dropped.map(({ what }) => what));
  const lost = readsParts ? [] : (sentFile?.lost ?? []).filter(({ what }) => !named.has(what));
  return {
    ...made,
    metadata: {
      kept: metadata.kept,
      changed: [...metadata.changed, ...changed],
      dropped: [...metadata.dropped, ...dropped, ...lost],
    },
  };
}
