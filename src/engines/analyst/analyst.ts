/** Raise the version with every change of what is measured or said. */
export const ANALYST = { name: 'atelier-analyst', version: '2' } as const;
