/** Increment the version when measurements change. */
export const ANALYST_ENGINE = { name: 'atelier-analyst', version: '6' } as const;
