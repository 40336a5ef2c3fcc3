/** 8-bit sRGB pixels, row by row, `channels` bytes each; a fourth channel is opacity, not premultiplied. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  readonly data: Uint8Array;
}

/** The sides a picture has when its longest is at most `longest` pixels. */
export function fitInside(
  { width, height }: { width: number; height: number },
  longest: number,
): { width: number; height: number } {
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
