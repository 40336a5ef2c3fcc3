import { JPEG, PNG } from '@trustnxt/c2pa-ts/asset';
import { SuperBox } from '@trustnxt/c2pa-ts/jumbf';
import { ManifestStore } from '@trustnxt/c2pa-ts/manifest';

/**
 * Problems that c2pa-ts, which shares no code with the library that writes the manifests, finds in a PNG or
 * JPEG; empty for a valid manifest. Like the service it contacts no server for trust.
 */
export async function c2paProblems(bytes: Uint8Array): Promise<string[]> {
  const own = new Uint8Array(bytes);
  const picture = PNG.canRead(own) ? new PNG(own) : new JPEG(own);
  const manifest = picture.getManifestJUMBF();
  if (!manifest) return ['there is no manifest'];
  const store = ManifestStore.read(SuperBox.fromBuffer(new Uint8Array(manifest)));
  const { isValid, statusEntries } = await store.validate(picture);
  const problems = statusEntries.filter(({ success }) => !success).map(({ code }) => String(code));
  return isValid ? [] : problems;
}
