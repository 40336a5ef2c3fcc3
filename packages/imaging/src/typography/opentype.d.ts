/** The used part of opentype.js 2; the published types are for version 1 and require browser types. */
declare module 'opentype.js' {
  interface Point {
    readonly x: number;
    readonly y: number;
  }
  type PathCommand =
    | ({ readonly type: 'M' | 'L' } & Point)
    | ({ readonly type: 'Q'; readonly x1: number; readonly y1: number } & Point)
    | ({
        readonly type: 'C';
        readonly x1: number;
        readonly y1: number;
        readonly x2: number;
        readonly y2: number;
      } & Point)
    | { readonly type: 'Z' };
  export interface Font {
    readonly unitsPerEm: number;
    /** In font units; negative below the baseline. */
    readonly ascender: number;
    readonly descender: number;
    /** 0 for a missing character. */
    charToGlyphIndex(character: string): number;
    getAdvanceWidth(text: string, size: number): number;
    getPath(text: string, x: number, y: number, size: number): { readonly commands: readonly PathCommand[] };
  }
  const opentype: { parse(file: ArrayBuffer): Font };
  export default opentype;
}
