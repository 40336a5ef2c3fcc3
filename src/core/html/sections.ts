/** Sections of the studio, in the order of the header. */
export const SECTIONS = [
  { path: '/table', name: 'Table' },
  { path: '/tools', name: 'Tools' },
  { path: '/recipes', name: 'Recipes' },
  { path: '/collection', name: 'Collection' },
  { path: '/gallery', name: 'Gallery' },
  { path: '/verify', name: 'Verify' },
  { path: '/docs', name: 'Docs' },
  { path: '/operate', name: 'Operate' },
] as const;

/** Includes the wallet, which is linked from the balance and not in the header navigation. */
export type SectionPath = (typeof SECTIONS)[number]['path'];
