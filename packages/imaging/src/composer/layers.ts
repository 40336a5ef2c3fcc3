import type { QR_LEVELS } from '../drawing/draw_qr.ts';
import type { ShapeRequest } from '../drawing/draw_shape.ts';
import type { Box, Gravity, Length } from '../editor/lengths.ts';
import type { BlendMode, Operation, OperationOf } from '../editor/operations.ts';
import type { SettingWish } from '../typography/set_text.ts';

/** Vector formats with outlines and text; the others are raster formats. */
export type VectorFormat = 'svg' | 'pdf';
export const isVectorFormat = (format: string): format is VectorFormat =>
  format === 'svg' || format === 'pdf';

export const FITS = ['contain', 'cover', 'fill'] as const;
export const LAYOUT_TYPES = ['grid', 'row', 'column', 'masonry'] as const;

/** Positions the layers without their own position, in order. */
export interface Layout {
  readonly type: (typeof LAYOUT_TYPES)[number];
  /** For a grid or masonry. Default: chosen by the number of layers. */
  readonly columns?: number | undefined;
  readonly gap?: Length | undefined;
  readonly padding?: Length | undefined;
  /** Alignment of a layer in its cell. Default: centre. */
  readonly align?: Gravity | undefined;
  /** Whether the name of each layer is written below it. */
  readonly captions?: boolean | undefined;
  /** Whether layers are numbered, from 1. */
  readonly numbers?: boolean | undefined;
}

interface Common {
  readonly name?: string | undefined;
  readonly box?: Box | undefined;
  readonly gravity?: Gravity | undefined;
  readonly margin?: Length | undefined;
  readonly width?: Length | undefined;
  readonly height?: Length | undefined;
  readonly opacity?: number | undefined;
  readonly blend?: BlendMode | undefined;
  /** Degrees clockwise about the centre. */
  readonly rotate?: number | undefined;
  /** ASCII URL linked from its box, in a PDF or SVG. */
  readonly link_to?: string | undefined;
  /** Editor operations: on an image before placement, on other layers after drawing. */
  readonly operations?: readonly Operation[] | undefined;
  /** Applied to the layer after its operations. */
  readonly mask?: LayerMask | undefined;
}

export type LayerMask = Omit<OperationOf<'mask'>, 'op'>;

interface Effects {
  readonly stroke?:
    | {
        readonly color: string;
        readonly width: Length;
        readonly cap?: 'round' | 'butt' | 'square' | undefined;
      }
    | undefined;
  readonly shadow?:
    | {
        readonly x?: Length | undefined;
        readonly y?: Length | undefined;
        readonly blur?: Length | undefined;
        readonly color?: string | undefined;
      }
    | undefined;
}

export interface ImageLayer extends Common {
  readonly type: 'image';
  /** Key in the images and findings of the request. */
  readonly image: string;
  readonly fit?: (typeof FITS)[number] | undefined;
  /** Radius of the corners. */
  readonly radius?: Length | undefined;
}

export interface TextLayer
  extends Common,
    Effects,
    Pick<
      SettingWish,
      | 'text'
      | 'font'
      | 'weight'
      | 'fit'
      | 'align'
      | 'valign'
      | 'leading'
      | 'tracking'
      | 'direction'
      | 'language'
    > {
  readonly type: 'text';
  readonly size?: Length | undefined;
  readonly color?: string | undefined;
  readonly background?:
    | { readonly color: string; readonly padding?: Length | undefined; readonly radius?: Length | undefined }
    | undefined;
}

export interface ShapeLayer extends Common, Effects, Pick<ShapeRequest, 'path'> {
  readonly type: 'shape';
  readonly shape: ShapeRequest['type'];
  readonly points?: readonly (readonly [Length, Length])[] | undefined;
  readonly radius?: Length | undefined;
  readonly fill?: string | undefined;
}

export interface QrLayer extends Common {
  readonly type: 'qr';
  readonly text: string;
  readonly level?: (typeof QR_LEVELS)[number] | undefined;
  readonly quiet_zone?: number | undefined;
  readonly color?: string | undefined;
  readonly background?: string | undefined;
}

export interface GroupLayer extends Common {
  readonly type: 'group';
  readonly layers: readonly Layer[];
  readonly layout?: Layout | undefined;
}

/** All layers, including those in groups. */
export const allLayers = (layers: readonly Layer[]): readonly Layer[] =>
  layers.flatMap((layer) => (layer.type === 'group' ? [layer, ...allLayers(layer.layers)] : [layer]));

export type Layer = ImageLayer | TextLayer | ShapeLayer | QrLayer | GroupLayer;
