import type { ManifestReading } from '@atelier/imaging/provenance/c2pa/read_manifest.ts';
import type { Manifests } from '../manifests/types.ts';
import { timeStampSentence } from '../time_stamp_sentence.ts';
import type { Testimony, Witness } from '../types.ts';
import { quoteStranger } from '../wording.ts';

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
      return { finding: 'absent', sentence: 'The file carries no C2PA manifest.' };
    case 'remote':
      return {
        finding: 'absent',
        sentence: 'The file names a C2PA manifest that lies elsewhere; it was not fetched.',
      };
    case 'unreadable':
      return {
        finding: 'absent',
        sentence: 'The file carries a C2PA manifest that is damaged and cannot be read.',
      };
    case 'valid':
      return {
        finding: 'agree',
        sentence: `Its C2PA manifest${signerNameOf(manifest)} holds for these bytes. Whether to trust who signed it is for you to judge. ${timeStampSentence(manifest.timeStamp)}`,
      };
    case 'invalid':
      return {
        finding: 'conflict',
        sentence: `Its C2PA manifest${signerNameOf(manifest)} does not hold for these bytes (${manifest.problems.slice(0, 3).map(quoteStranger).join(', ') || 'no reason given'}).`,
      };
  }
}

function signerNameOf({ signer }: ManifestReading): string {
  const name = signer?.organisation ?? signer?.name;
  return name ? `, signed by ${quoteStranger(name)},` : '';
}
