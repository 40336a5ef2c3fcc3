import { awaitDecoding, openPicture } from '../../codecs/open_picture.ts';
import { type PictureFormat, readHeader } from '../../codecs/read_header.ts';
import { readRaster } from '../../codecs/read_raster.ts';
import { EngineError } from '../../errors/engine_error.ts';
import { type DrawnLabel, drawLabel, type LabelRequest } from '../../label/draw_label.ts';
import { riffChunks } from '../../metadata/containers/riff_chunks.ts';
import { entryOf, readIfd } from '../../metadata/tiff/ifd.ts';
import { pngChunks } from '../../pixels/png_chunks.ts';
import { depthOf } from '../../pixels/raster.ts';
import { compareRasters } from '../../quality/compare_rasters.ts';
import type { Quality } from '../../quality/types.ts';
import { readWatermark } from '../../watermark/detect_watermark.ts';
import {
  type EmbeddedWatermark,
  type EmbedRequest,
  embedInRaster,
  encodePng,
} from '../../watermark/embed_watermark.ts';

const SUBFILE_TAG = 254;
/** NewSubfileType bit of a reduced copy of another page. TIFF 6.0, section 8. */
const REDUCED = 1;

/** Whether a file holds more frames or pages, which would be lost. */
function hasMorePictures(bytes: Uint8Array, format: PictureFormat): boolean {
  if (format === 'png') return pngChunks(bytes).chunks.some(({ type }) => type === 'acTL');
  if (format === 'webp') return riffChunks(bytes).chunks.filter(({ type }) => type === 'ANMF').length > 1;
  if (format !== 'tiff') return false;
  const { next = 0 } = readIfd(bytes) ?? {};
  const second = next > 0 ? readIfd(bytes, next) : undefined;
  const [kind = 0] = entryOf(second, SUBFILE_TAG)?.data.filter((byte) => byte > 0) ?? [];
  return second !== undefined && (kind & REDUCED) === 0;
}

export interface MarkRequest extends EmbedRequest {
  /** An existing watermark with this prefix states the same facts. */
  readonly sameStart: string;
  /** Drawn before the watermark is embedded. */
  readonly label?: LabelRequest;
}

export interface MarkedPicture {
  /** In the format of the input; unchanged bytes if the watermark exists already and no label was drawn. */
  readonly bytes: Uint8Array;
  /** The payload in the pixels. */
  readonly payload: string;
  readonly wasThere: boolean;
  /** Id of an existing watermark; undefined if only its text is readable. */
  readonly id?: string;
  /** Facts about a new watermark; undefined if one existed already. */
  readonly made?: Pick<EmbeddedWatermark, 'attacks' | 'psnrDb' | 'bits' | 'likeness'> & {
    /** Quality of the output: effect of the watermark and of encoding, without the label. */
    readonly quality: Quality;
  };
  /** The label, if requested. */
  readonly label?: Omit<DrawnLabel, 'raster'>;
  readonly engine: EmbeddedWatermark['engine'];
}

const QUALITY = 95;

/**
 * Watermarks an image like `embedWatermark` and keeps its format: JPEG and lossy WebP are re-encoded at quality 95, and the watermark is verified in
 * the output. Existing watermarks are never overwritten. A label is drawn first; on a watermarked image, only if the watermark stays readable.
 * @throws EngineError like embedWatermark; unsuitable_image if the file has another watermark or several images, unsupported_image for GIF and AVIF
 */
export async function markPicture(
  request: MarkRequest,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<MarkedPicture> {
  const { bytes, payload, sameStart } = request;
  const { format } = readHeader(bytes);
  const save = SAVING[format];
  if (!save) {
    throw new EngineError(
      'unsupported_image',
      'Watermarks are written to PNG, JPEG, WebP and TIFF files. Convert it first: convert_image writes them.',
    );
  }
  if (hasMorePictures(bytes, format)) {
    throw new EngineError(
      'unsuitable_image',
      'The file holds several images, and only one of them can be watermarked. Send a still image.',
    );
  }
  const before = await readRaster(bytes);
  const there = readWatermark(before);
  const isThere = there.payload?.startsWith(sameStart) === true;
  if (there.read && !isThere) {
    throw new EngineError(
      'unsuitable_image',
      `The picture carries a watermark already${there.payload === undefined ? '' : ` (${JSON.stringify(there.payload.slice(0, 80).toWellFormed())})`}, and a second one would destroy it. Send the picture as it was before it was marked, or leave ai out.`,
    );
  }
  const drawn = request.label && drawLabel(before, request.label);
  const told = drawn && { label: { label: drawn.label, wasThere: drawn.wasThere } };
  const raster = drawn?.raster ?? before;
  if (isThere) {
    const same = raster === before;
    return {
      bytes: same ? bytes : (await savedWith(there.payload, await encodePng(raster), bytes, save)).saved,
      payload: there.payload,
      wasThere: true,
      engine: there.engine,
      ...told,
      ...(there.id !== undefined && { id: there.id }),
    };
  }
  // At full strength: a weaker watermark does not survive some copies that the robustness statement covers beyond the promised edits (decision 81).
  const marked = await embedInRaster(raster, { ...request, masking: 'none' }, onProgress);
  const { saved, after } = await savedWith(payload, marked.bytes, bytes, save);
  const { attacks, psnrDb, bits, likeness, engine } = marked;
  const quality = { compared_at: 'source_size', ...compareRasters(raster, after) } as const;
  return {
    bytes: saved,
    payload,
    wasThere: false,
    made: { attacks, psnrDb, bits, likeness, quality },
    ...told,
    engine,
  };
}

/** @throws EngineError unsuitable_image if the watermark cannot be read from the encoded file */
async function savedWith(payload: string, png: Uint8Array, before: Uint8Array, save: Save) {
  const saved = await save(png, before);
  const after = await readRaster(saved);
  if (readWatermark(after, false).payload === payload) return { saved, after };
  throw new EngineError(
    'unsuitable_image',
    'The watermark does not survive encoding this image in its format. Send it as PNG.',
  );
}

type Save = (png: Uint8Array, before: Uint8Array) => Promise<Uint8Array>;

const SAVING: Partial<Record<string, Save>> = {
  png: async (png) => png,
  jpeg: (png) =>
    awaitDecoding(openPicture(png).jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4' }).toBuffer()),
  webp: (png, before) => {
    const lossless = riffChunks(before).chunks.some(({ type }) => type === 'VP8L');
    return awaitDecoding(
      openPicture(png)
        .webp(lossless ? { lossless } : { quality: QUALITY })
        .toBuffer(),
    );
  },
  tiff: async (png) => {
    const isDeep = depthOf(await readRaster(png)) === 16;
    const picture = isDeep ? openPicture(png).toColourspace('rgb16') : openPicture(png);
    return awaitDecoding(picture.tiff({ compression: 'deflate' }).toBuffer());
  },
};
