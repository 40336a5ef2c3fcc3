import {
  type ConvertedImage,
  type ConvertRequest,
  convertImage,
} from '@atelier/imaging/convert/convert_image.ts';
import type { Finish } from '@atelier/imaging/encoders/save_picture.ts';
import type { CarriedMetadata } from '@atelier/imaging/metadata/passthrough/carried.ts';
import { carryMetadata } from '@atelier/imaging/metadata/passthrough/carry_metadata.ts';
import { type ResizeToFormatRequest, resizeToFormat } from '@atelier/imaging/resize/resize_to_format.ts';
import { type Carrying, NOTHING } from './carrying.ts';
import { runResize as resizeStill } from './run_resize.ts';

type Converted = ConvertedImage & { readonly metadata: CarriedMetadata };

export const runConvert = ({ carry, sentFile, ...request }: ConvertRequest & Carrying): Promise<Converted> =>
  carryingWithin(request.bytes, { carry, sentFile }, (finish) =>
    convertImage({ ...request, file: sentFile?.bytes }, finish),
  );

export const runResize = ({
  carry,
  sentFile,
  ...request
}: ResizeToFormatRequest & Carrying): Promise<Converted> =>
  carryingWithin(request.bytes, { carry, sentFile }, (finish) =>
    resizeToFormat({ ...request, file: sentFile?.bytes }, resizeStill, finish),
  );

/** Metadata is put into every file that is tried, as it counts among the bytes a client asks for at most. */
export async function carryingWithin<Made extends ConvertedImage>(
  picture: Uint8Array,
  { carry, sentFile }: { carry: Carrying['carry']; sentFile: Carrying['sentFile'] },
  run: (finish: Finish) => Promise<Made>,
): Promise<Made & { readonly metadata: CarriedMetadata }> {
  let metadata = NOTHING;
  const converted = await run(async (made) => {
    if (!carry) return made.bytes;
    const carried = await carryMetadata({ file: sentFile?.bytes ?? picture, picture }, made, carry);
    metadata = carried.metadata;
    return carried.bytes;
  });
  const named = new Set(converted.dropped.map(({ what }) => what));
  const lost = converted.readsParts ? [] : (sentFile?.lost ?? []).filter(({ what }) => !named.has(what));
  return {
    ...converted,
    metadata: {
      kept: metadata.kept,
      changed: [...metadata.changed, ...converted.changed],
      dropped: [...metadata.dropped, ...converted.dropped, ...lost],
    },
  };
}
