import type { z } from 'zod';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { SourceImage } from '../../../core/workers/types.ts';
import type { aiField, rightsField } from '../../definitions/rights_fields.ts';
import { fieldsOf, type metadataField } from './metadata_fields.ts';
import { refuseContradictions } from './refuse_contradictions.ts';
import { originFields, type WordedOrigin, wordOrigin } from './word_origin.ts';
import { type WordedRights, wordRights } from './word_rights.ts';

interface Sent {
  readonly metadata: z.output<typeof metadataField>;
  readonly rights?: z.output<typeof rightsField>;
  readonly ai?: z.output<typeof aiField>;
  readonly image: SourceImage;
}

type Fields = ReturnType<typeof fieldsOf>;

export interface InfusedWords {
  /** The fields of the file, whoever said them. */
  readonly fields: Fields;
  /** What a soulmark signs. */
  readonly codex: Readonly<Record<string, unknown>>;
  readonly rights?: WordedRights;
  readonly origin?: WordedOrigin;
}

/** What was sent in the words of the file. @throws AtelierError invalid_input where one contradicts another */
export function wordsOf({ metadata, rights, ai, image }: Sent): InfusedWords {
  if (rights) refuseTwice(metadata, 'rights');
  if (ai) refuseTwice(metadata, 'ai');
  const worded = rights && wordRights(rights);
  if (worded) refuseContradictions(metadata, 'rights', worded.fields);
  const origin = ai && wordOrigin(ai, metadata, { bytes: image.bytes, now: Date.now() });
  const machine = origin && originFields(origin.origin);
  if (machine) refuseContradictions(metadata, 'ai', machine);
  return {
    fields: { ...fieldsOf(metadata), ...worded?.fields, ...machine } as Fields,
    codex: { ...metadata, ...(rights && { rights }) },
    ...(worded && { rights: worded }),
    ...(origin && { origin }),
  };
}

/** A codex may hold anything; what it has by this name would give way. */
function refuseTwice(metadata: object, name: 'rights' | 'ai'): void {
  if (!(name in metadata)) return;
  throw invalidField(
    `metadata.${name}`,
    `metadata.${name} and ${name} would stand in the same place of the codex. Send ${name} alone, or give metadata.${name} another name.`,
  );
}
