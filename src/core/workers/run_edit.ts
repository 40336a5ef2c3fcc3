import { type EditedImage, type EditRequest, editPicture } from '@atelier/imaging/editor/edit_picture.ts';
import type { CarriedMetadata } from '@atelier/imaging/metadata/passthrough/carried.ts';
import type { Carrying } from './carrying.ts';
import { labelTypeface } from './open_typeface.ts';
import { readLayer } from './read_layer.ts';
import { carryingWithin } from './run_convert.ts';
import { withFile } from './run_resize.ts';
import { TEXT_RESOURCES } from './text_resources.ts';

/** Edits a picture with what a process has for it: a file for decoders, other images of any format, the letters of labels. */
export const runEdit = ({
  carry,
  sentFile,
  ...request
}: EditRequest & Carrying): Promise<EditedImage & { readonly metadata: CarriedMetadata }> =>
  withFile((fileOf) =>
    carryingWithin(request.bytes, { carry, sentFile }, (finish) =>
      editPicture(
        { ...request, file: sentFile?.bytes },
        {
          fileOf,
          labelTypeface,
          textResources: TEXT_RESOURCES,
          readImage: async (bytes) => (await readLayer(bytes)).raster,
        },
        finish,
      ),
    ),
  );
