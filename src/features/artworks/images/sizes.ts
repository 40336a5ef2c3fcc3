/** Image widths in px that clients can request; `full` is the museum's own size. */
export const PICTURE_WIDTHS = { small: 400, medium: 843, large: 1686 } as const;
export const PICTURE_SIZES = ['small', 'medium', 'large', 'full'] as const;
export type PictureSize = (typeof PICTURE_SIZES)[number];
