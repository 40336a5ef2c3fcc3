/**
 * Resolutions in dpi: minimum and recommended for continuous-tone images at reading distance, and minimum for line art.
 */
export const DPI_MIN = 150;
export const DPI_RECOMMENDED = 225;
export const DPI_LINE_ART = 550;
