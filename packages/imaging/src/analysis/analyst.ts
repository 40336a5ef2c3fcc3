/** Raise the version with every change of what is measured or said. */
export const ANALYST_ENGINE = { name: 'atelier-analyst', version: '5' } as const;
