// Declarations made from this file lead to it, too.
/// <reference path="./opentype.d.ts" preserve="true" />
import opentype, { type Font } from 'opentype.js';

/** A font file with drawable letters. */
export type Typeface = Font;

/** Opens a font (TrueType, OpenType or WOFF). @throws Error for any other file */
export function openTypeface(file: Uint8Array): Typeface {
  return opentype.parse(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer);
}
