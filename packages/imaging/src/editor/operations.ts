import type { QR_LEVELS } from '../drawing/draw_qr.ts';
import type { ShapeType } from '../drawing/draw_shape.ts';
import type { LabelCorner, LabelKind, LabelLanguage, LabelStyle } from '../label/label_words.ts';
import type { Box, Gravity, Length } from './lengths.ts';

/**
 * Operations in canonical form: names and values are normalised, undefined options mean the default. Colours are CSS, lengths are pixels or text with
 * a unit.
 */
export type Operation =
  | Crop
  | Trim
  | Rotate
  | Straighten
  | Flip
  | Resize
  | Pad
  | Border
  | Round
  | Shadow
  | Background
  | Adjust
  | Curve
  | Tone
  | Lut
  | Sharpen
  | Denoise
  | Blur
  | Pixelate
  | Redact
  | Overlay
  | Mask
  | Opacity
  | Flatten
  | Perspective
  | Text
  | Shape
  | Qr
  | AiLabelOperation;

export type OperationName = Operation['op'];
export type OperationOf<Name extends OperationName> = Extract<Operation, { op: Name }>;

/** Detected content that a crop can be positioned by, besides compass points. */
export const FOUND_GRAVITIES = ['subject', 'face', 'faces', 'text', 'attention'] as const;
export type FoundGravity = (typeof FOUND_GRAVITIES)[number];
/** Detected areas for blur, pixelate and redact. */
export const FOUND_PLACES = ['faces', 'text', 'background'] as const;
export type FoundPlace = (typeof FOUND_PLACES)[number];

interface Crop {
  readonly op: 'crop';
  readonly box?: Box | undefined;
  /** Width to height: 1.5 or "16:9". */
  readonly aspect?: number | string | undefined;
  readonly width?: Length | undefined;
  readonly height?: Length | undefined;
  readonly gravity: Gravity | FoundGravity;
  /** Around the detected content. */
  readonly padding: Length;
}
interface Trim {
  readonly op: 'trim';
  /** Maximum difference within a margin, in levels of 255. */
  readonly tolerance: number;
  /** Default: the colour of the corners. */
  readonly background?: string | undefined;
  readonly padding: Length;
}
interface Rotate {
  readonly op: 'rotate';
  /** Clockwise. */
  readonly degrees: number;
  readonly background: string;
  readonly expand: boolean;
}
interface Straighten {
  readonly op: 'straighten';
  readonly max_degrees: number;
}
interface Flip {
  readonly op: 'flip';
  readonly axis: 'horizontal' | 'vertical' | 'both';
}
interface Resize {
  readonly op: 'resize';
  readonly width?: Length | undefined;
  readonly height?: Length | undefined;
  readonly scale?: number | undefined;
  readonly fit: 'inside' | 'cover' | 'fill' | 'outside' | 'contain';
  /** Default: only if an exact size is requested with cover, fill or contain, or a factor. */
  readonly enlarge?: boolean | undefined;
  /** Which part `cover` keeps. */
  readonly gravity: Gravity;
  /** Background that `contain` adds. */
  readonly background: string;
}
export interface Pad {
  readonly op: 'pad';
  readonly top?: Length | undefined;
  readonly right?: Length | undefined;
  readonly bottom?: Length | undefined;
  readonly left?: Length | undefined;
  readonly aspect?: number | string | undefined;
  readonly width?: Length | undefined;
  readonly height?: Length | undefined;
  /** Position of the image on the larger canvas. */
  readonly gravity: Gravity;
  /** A colour, or `edge`, `mirror`, `blur`. */
  readonly background: string;
}
interface Border {
  readonly op: 'border';
  readonly width: Length;
  readonly color: string;
  readonly inside: boolean;
}
interface Round {
  readonly op: 'round';
  readonly radius: Length;
}
interface Shadow {
  readonly op: 'shadow';
  readonly x: Length;
  readonly y: Length;
  /** Radius as in CSS: twice the standard deviation. */
  readonly blur: Length;
  readonly spread: Length;
  readonly color: string;
}
export interface Gradient {
  readonly type: 'linear' | 'radial';
  /** As in CSS: 0 upwards, 90 to the right. */
  readonly angle: number;
  readonly stops: readonly { readonly color: string; readonly at?: number | undefined }[];
}
interface Background {
  readonly op: 'background';
  readonly color?: string | undefined;
  readonly gradient?: Gradient | undefined;
  readonly image?: string | undefined;
  /** Standard deviation of the blurred copy used as background. */
  readonly blur?: Length | undefined;
  /** The background was removed before the image was edited. */
  readonly remove?: boolean | undefined;
}
/** Values from −1 to 1 unless stated otherwise. */
interface Adjust {
  readonly op: 'adjust';
  /** Stops: 1 doubles the light. */
  readonly exposure: number;
  readonly brightness: number;
  readonly contrast: number;
  readonly saturation: number;
  readonly vibrance: number;
  /** Positive values are warmer. */
  readonly temperature: number;
  /** Positive values towards magenta, negative ones towards green. */
  readonly tint: number;
  readonly highlights: number;
  readonly shadows: number;
  readonly gamma: number;
  /** Degrees. */
  readonly hue: number;
  readonly levels?: Levels | undefined;
  /** As in `Curve`, for all channels. */
  readonly curve?: readonly (readonly [number, number])[] | undefined;
  readonly auto: boolean;
}
export interface Levels {
  /** 0 to 255, of the input. */
  readonly black: number;
  readonly white: number;
  readonly gamma: number;
  /** 0 to 255, of the output. */
  readonly out_black: number;
  readonly out_white: number;
}
interface Curve {
  readonly op: 'curve';
  readonly channel: 'rgb' | 'red' | 'green' | 'blue';
  /** Pairs of input and output from 0 to 255. */
  readonly points: readonly (readonly [number, number])[];
}
interface Tone {
  readonly op: 'tone';
  readonly style: 'grayscale' | 'sepia' | 'duotone' | 'invert' | 'threshold' | 'posterize';
  readonly amount: number;
  readonly dark: string;
  readonly light: string;
  /** 0 to 255. */
  readonly threshold: number;
  readonly levels: number;
}
interface Lut {
  readonly op: 'lut';
  readonly file: string;
  readonly amount: number;
}
interface Sharpen {
  readonly op: 'sharpen';
  readonly amount: number;
  readonly radius: Length;
}
interface Denoise {
  readonly op: 'denoise';
  readonly amount: number;
  /** Size of the coarsest grain that is removed. */
  readonly radius: Length;
}
export type Where = 'all' | FoundPlace | readonly Box[];
interface Blur {
  readonly op: 'blur';
  /** Standard deviation; percentages refer to the shorter side of the area. */
  readonly amount?: Length | undefined;
  readonly where: Where;
  readonly feather: Length;
}
interface Pixelate {
  readonly op: 'pixelate';
  /** Side of a cell; percentages refer to the shorter side of the area. */
  readonly amount?: Length | undefined;
  readonly where: Where;
}
interface Redact {
  readonly op: 'redact';
  readonly where: Where;
  readonly color: string;
  readonly padding: Length;
}
export const BLEND_MODES = [
  'normal',
  'multiply',
  'screen',
  'overlay',
  'soft-light',
  'hard-light',
  'darken',
  'lighten',
  'difference',
  'exclusion',
  'color-dodge',
  'color-burn',
  'hue',
  'saturation',
  'color',
  'luminosity',
] as const;
export type BlendMode = (typeof BLEND_MODES)[number];
interface Overlay {
  readonly op: 'overlay';
  readonly image: string;
  readonly box?: Box | undefined;
  readonly width?: Length | undefined;
  readonly height?: Length | undefined;
  readonly gravity: Gravity;
  readonly margin: Length;
  /** Rotation of the layer, clockwise, in degrees. */
  readonly rotate: number;
  readonly opacity: number;
  readonly blend: BlendMode;
  readonly tile: boolean;
}
interface Mask {
  readonly op: 'mask';
  readonly image?: string | undefined;
  readonly shape?: 'circle' | 'ellipse' | 'rect' | undefined;
  readonly radius: Length;
  readonly invert: boolean;
  readonly feather: Length;
}
interface Opacity {
  readonly op: 'opacity';
  readonly value: number;
}
interface Flatten {
  readonly op: 'flatten';
  readonly background: string;
}
interface Perspective {
  readonly op: 'perspective';
  /** Corners of the area that becomes a rectangle: upper left, upper right, lower right, lower left. */
  readonly corners?: readonly (readonly [Length, Length])[] | undefined;
  /** Points that move to those of `to`. Default: the corners of the canvas. Without `to`: `corners`. */
  readonly from?: readonly (readonly [Length, Length])[] | undefined;
  readonly to?: readonly (readonly [Length, Length])[] | undefined;
  /** Width of the rectangle; with `to`, of the canvas. */
  readonly width?: Length | undefined;
  readonly height?: Length | undefined;
}
/** Lengths relative to the shorter side of the canvas. */
export interface DrawnShadow {
  readonly x: Length;
  readonly y: Length;
  /** Radius as in CSS: twice the standard deviation. */
  readonly blur: Length;
  readonly color: string;
}
interface Text {
  readonly op: 'text';
  readonly text: string;
  readonly box?: Box | undefined;
  readonly gravity: Gravity;
  readonly margin: Length;
  readonly width?: Length | undefined;
  readonly font?: string | undefined;
  readonly weight?: number | undefined;
  readonly size?: Length | undefined;
  readonly fit: boolean;
  /** Default: black or white, depending on the background. */
  readonly color?: string | undefined;
  readonly align?: 'start' | 'left' | 'center' | 'right' | 'end' | undefined;
  readonly valign?: 'top' | 'middle' | 'bottom' | undefined;
  /** Both in em. */
  readonly leading?: number | undefined;
  readonly tracking?: number | undefined;
  readonly direction?: 'auto' | 'ltr' | 'rtl' | undefined;
  readonly language?: string | undefined;
  readonly stroke?: { readonly color: string; readonly width: Length } | undefined;
  readonly shadow?: DrawnShadow | undefined;
  readonly background?:
    | { readonly color: string; readonly padding: Length; readonly radius: Length }
    | undefined;
  readonly rotate: number;
  readonly opacity: number;
  /** Repeated over the whole canvas with gaps of `margin`. */
  readonly tile: boolean;
}
interface Shape {
  readonly op: 'shape';
  readonly type: ShapeType;
  readonly box?: Box | undefined;
  readonly points?: readonly (readonly [Length, Length])[] | undefined;
  /** SVG path data. */
  readonly path?: string | undefined;
  readonly radius: Length;
  readonly fill?: string | undefined;
  readonly stroke?: string | undefined;
  /** Width of the stroke. */
  readonly width: Length;
  readonly shadow?: DrawnShadow | undefined;
  readonly rotate: number;
  readonly opacity: number;
}
interface Qr {
  readonly op: 'qr';
  readonly text: string;
  readonly box?: Box | undefined;
  readonly gravity: Gravity;
  readonly margin: Length;
  readonly width: Length;
  readonly level: (typeof QR_LEVELS)[number];
  readonly quiet_zone: number;
  readonly color: string;
  readonly background: string;
}
interface AiLabelOperation {
  readonly op: 'ai_label';
  readonly style: LabelStyle;
  readonly corner: LabelCorner;
  readonly language: LabelLanguage;
  readonly kind: LabelKind;
}
