/** Widths in pixels a picture can be asked for in; `full` is as the museum has it. */
export const PICTURE_WIDTHS = { small: 400, medium: 843, large: 1686 } as const;
export const PICTURE_SIZES = ['small', 'medium', 'large', 'full'] as const;
export type PictureSize = (typeof PICTURE_SIZES)[number];
