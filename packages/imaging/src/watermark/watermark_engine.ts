/** The version changes when marks written before can no longer be read. */
export const WATERMARK_ENGINE = { name: 'atelier-watermark', version: '1' } as const;
