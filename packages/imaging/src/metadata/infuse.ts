import type { MetadataFields } from './fields.ts';
import { readMetadata } from './read_metadata.ts';
import { type AiLabel, labelProperties } from './rights/ai_label.ts';
import { type AiOrigin, isAiSource, originProperties } from './rights/origin.ts';
import type { RightsPolicy } from './rights/policy.ts';
import { policyProperties, USE_PROPERTIES } from './rights/write_policy.ts';
import { type WrittenMetadata, writeMetadata } from './write_metadata.ts';
import { textProperty } from './xmp/make_property.ts';

export interface InfuseRequest {
  readonly bytes: Uint8Array;
  readonly fields: MetadataFields;
  /** Packed as `packCodex` does, and the soulmark that signs it. */
  readonly codex?: { readonly packed: string; readonly soulmark: string };
  readonly policy?: RightsPolicy;
  readonly origin?: AiOrigin;
  /** Drawn in the pixels. */
  readonly label?: AiLabel;
  /** The file as it was before its pixels were marked; its metadata is kept. */
  readonly original?: Uint8Array;
}

export interface InfusedPicture extends WrittenMetadata {
  /** The file carried a codex of its own, which this one took the place of. */
  readonly replacedCodex: boolean;
  readonly engine: { name: string; version: string };
}

const ENGINE = { name: 'atelier-metadata', version: '1' } as const;

/** `writeMetadata`, with codex and soulmark, policy and origin where there are any. @throws EngineError as that does */
export function infuse({
  bytes,
  fields,
  codex,
  policy,
  origin,
  label,
  original,
}: InfuseRequest): InfusedPicture {
  const properties = [
    ...(codex
      ? [textProperty('atelier:Codex', codex.packed), textProperty('atelier:Soulmark', codex.soulmark)]
      : []),
    ...(policy ? policyProperties(policy) : []),
    ...(origin ? originProperties(origin) : []),
    ...(label ? labelProperties(label) : []),
  ];
  const withdrawn = policy?.replacesUse ? USE_PROPERTIES : [];
  const written = writeMetadata(bytes, fields, properties, { original, withdrawn });
  const before = codex || fields.digital_source_type ? readMetadata(original ?? bytes) : undefined;
  const replacedCodex = codex !== undefined && before !== undefined && 'atelier:Codex' in before.xmp;
  const notes = [...written.notes, ...lostMark(before?.fields, fields)];
  return { ...written, notes, replacedCodex, engine: ENGINE };
}

/** That a machine made a picture is not to be taken back unseen: measure 1.2 of the EU code of practice. */
function lostMark(
  before: MetadataFields | undefined,
  { digital_source_type: now }: MetadataFields,
): string[] {
  const was = before?.digital_source_type;
  if (was === undefined || now === undefined || !isAiSource(was) || isAiSource(now)) return [];
  return [
    `The file said that AI made it (${was}). It says ${now} now; send ${was} again if that was no mistake.`,
  ];
}
