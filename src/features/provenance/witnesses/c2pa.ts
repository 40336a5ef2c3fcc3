import type { ManifestReading } from '@atelier/imaging/provenance/c2pa/read_manifest.ts';
import type { TimeStampResult } from '@atelier/imaging/provenance/timestamp/result.ts';
import type { Manifests } from '../manifests/manifests.ts';
import { publicAlgorithm } from '../soft_bindings/public_algorithms.ts';
import type { Testimony, Witness } from '../types.ts';
import { quoteUntrusted } from '../wording.ts';

/** Whether the file contains a C2PA manifest that is valid for these bytes. */
export function createC2paWitness(manifests: Pick<Manifests, 'read'>): Witness {
  return {
    name: 'c2pa',
    async look(picture) {
      const manifest = await manifests.read(picture.bytes, picture.control);
      return { matches: [], read: { manifest }, judge: () => testimonyOf(manifest) };
    },
  };
}

function testimonyOf(manifest: ManifestReading | undefined): Omit<Testimony, 'witness'> {
  switch (manifest?.state) {
    case undefined:
      return { finding: 'absent', sentence: 'The file has no C2PA manifest.' };
    case 'remote':
      return {
        finding: 'absent',
        sentence: 'The file links to an external C2PA manifest, which was not fetched.',
      };
    case 'unreadable':
      return {
        finding: 'absent',
        sentence: 'The C2PA manifest of the file is damaged and cannot be read.',
      };
    case 'valid':
      return {
        finding: 'agree',
        sentence: `Its C2PA manifest${signerNameOf(manifest)} is valid for these bytes. Decide whether you trust the signer. ${timeStampSentence(manifest.timeStamp)}${bindingsSentence(manifest)}`,
      };
    case 'invalid':
      return {
        finding: 'conflict',
        sentence: `Its C2PA manifest${signerNameOf(manifest)} is not valid for these bytes (${manifest.problems.slice(0, 3).map(quoteUntrusted).join(', ') || 'no reason given'}).`,
      };
  }
}

/** Soft bindings that the manifest declares under other algorithms, which this server does not read. */
function bindingsSentence({ softBindings = [] }: ManifestReading): string {
  const names = [...new Set(softBindings.map(({ alg }) => alg))].slice(0, 3).map((alg) => {
    const known = publicAlgorithm(alg);
    return known ? `the ${known.type} of ${known.maker} (${alg})` : quoteUntrusted(alg);
  });
  return names.length > 0
    ? ` It declares ${names.join(' and ')} as a further soft binding, which this server cannot read from pixels.`
    : '';
}

function signerNameOf({ signer }: ManifestReading): string {
  const name = signer?.organisation ?? signer?.name;
  return name ? `, signed by ${quoteUntrusted(name)},` : '';
}

/** Describes the time stamp of a manifest in one sentence, including why it is missing or invalid. */
function timeStampSentence(stamp: TimeStampResult | undefined): string {
  if (!stamp || stamp.status === 'none') return stamp?.reason ?? 'Its time stamp was not checked.';
  if (stamp.status === 'invalid') return `Its time stamp is not valid. ${stamp.reason ?? ''}`.trim();
  const by = stamp.authority === null ? '' : ` by ${quoteUntrusted(stamp.authority)}`;
  const said = `It was time-stamped${by} at ${stamp.time}.`;
  return stamp.reason === undefined ? said : `${said} ${stamp.reason}`;
}
