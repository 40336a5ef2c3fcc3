/** Raise the version with every change of what is measured. */
export const ANALYST_ENGINE = { name: 'atelier-analyst', version: '6' } as const;
