/** What looked at a file. */
export const PREFLIGHT_ENGINE = { name: 'atelier-preflight', version: '1' } as const;
