/**
 * Resolutions in dpi: minimum and recommended for continuous-tone images at reading distance, and minimum for line art.
 */
export const DPI_LEAST = 150;
export const DPI_GOOD = 225;
export const DPI_LINE_ART = 550;
