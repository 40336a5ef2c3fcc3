/** The rooms of the studio in the order they hang at the head of every page. */
export const ROOMS = [
  { path: '/tools', name: 'Tools' },
  { path: '/recipes', name: 'Recipes' },
  { path: '/collection', name: 'Collection' },
  { path: '/gallery', name: 'Gallery' },
  { path: '/verify', name: 'Verify' },
  { path: '/docs', name: 'Docs' },
  { path: '/operate', name: 'Operate' },
] as const;

/** Also what hangs in no room of the head: the wallet, which stands where its balance is. */
export type RoomPath = (typeof ROOMS)[number]['path'];
