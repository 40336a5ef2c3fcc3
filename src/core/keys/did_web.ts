/**
 * The did:web identifier of a service: its DID document is `/.well-known/did.json` below the address.
 * @param publicUrl a path before the service becomes part of the identifier
 */
export function didWebOf(publicUrl: string): string {
  const { host, pathname } = new URL(publicUrl);
  const folders = pathname.split('/').filter(Boolean);
  const path = folders.length > 0 ? [...folders, '.well-known'] : [];
  return ['did:web', encodeURIComponent(host), ...path].join(':');
}
