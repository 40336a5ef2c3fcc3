/** How bright a colour is, of samples as they are stored. ITU-R BT.601 */
export const lumaOf = (red: number, green: number, blue: number): number =>
  RED * red + GREEN * green + BLUE * blue;

/** Shares of red, green and blue in luma. */
export const LUMA_SHARES = [0.299, 0.587, 0.114] as const;
const [RED, GREEN, BLUE] = LUMA_SHARES;

/** Luminance of linear light. ITU-R BT.709 */
export const luminanceOf = (red: number, green: number, blue: number): number =>
  0.2126 * red + 0.7152 * green + 0.0722 * blue;
