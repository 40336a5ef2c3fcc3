import { z } from 'zod';
import {
  SOUL_WHISPER_CHARACTERS_MAX,
  TOLD_CODEX_CHARACTERS_MAX,
  WHISPER_SENDER_CHARACTERS_MAX,
} from '../../definitions/tool_limits.ts';
import { soulWhisperField } from '../../metadata/tools/metadata_fields.ts';
import type { Readings } from '../../provenance/evidence/types.ts';
import type { SoulmarkReading } from '../../provenance/soulmarks/soulmarks.ts';

const stateField = z.enum([
  'signed_here',
  'signed_elsewhere',
  'other_pixels',
  'changed',
  'revoked',
  'unsigned',
]);

/** Codex of a file and the message in it. Untrusted third-party text. */
export const codexAnswer = z.object({
  state: stateField.describe(
    'signed_here, signed_elsewhere: codex and pixels match the signature of this service or of another signer. other_pixels: signed for another image. changed: not the signed codex. revoked: the key was revoked. unsigned: anyone could have written it.',
  ),
  soul_whisper: z
    .object({ message: z.string(), sender: z.string(), place: z.enum(['codex', 'field']) })
    .nullable()
    .describe(
      'A message to the reader. As trustworthy as the codex if it is part of it; otherwise a field that anyone can write.',
    ),
  content: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe(`The codex in the file; null without one, or above ${TOLD_CODEX_CHARACTERS_MAX} characters.`),
});

type CodexAnswer = z.input<typeof codexAnswer>;

/** Undefined for a file without codex and message. The plain field is used if the codex has no message. */
export function codexOf({ soulmark, claims }: Partial<Readings>): CodexAnswer | undefined {
  const codex = soulmark?.codex;
  const whisper = whisperIn(codex) ?? fieldIn(claims);
  if (!codex && !whisper) return undefined;
  const isLong = JSON.stringify(codex ?? null).length > TOLD_CODEX_CHARACTERS_MAX;
  return {
    state: soulmark ? stateOf(soulmark) : 'unsigned',
    soul_whisper: whisper ?? null,
    content: codex && !isLong ? codex : null,
  };
}

type Whisper = NonNullable<CodexAnswer['soul_whisper']>;

function whisperIn(codex: SoulmarkReading['codex']): Whisper | undefined {
  const read = soulWhisperField.safeParse(codex?.soul_whisper);
  return read.success ? { ...read.data, place: 'codex' } : undefined;
}

function fieldIn(claims: Readings['claims'] | undefined): Whisper | undefined {
  const { soul_whisper: message, soul_whisper_sender: sender = '' } = claims?.fields ?? {};
  return message === undefined
    ? undefined
    : {
        message: message.slice(0, SOUL_WHISPER_CHARACTERS_MAX),
        sender: sender.slice(0, WHISPER_SENDER_CHARACTERS_MAX),
        place: 'field',
      };
}

/** Same verdict as the metadata witness. */
function stateOf({ signer, revoked, pixelsAre, codexIs, isOurs }: SoulmarkReading): CodexAnswer['state'] {
  if (!signer) return 'unsigned';
  if (revoked) return 'revoked';
  if (pixelsAre === 'changed') return 'other_pixels';
  if (codexIs === 'changed') return 'changed';
  return isOurs ? 'signed_here' : 'signed_elsewhere';
}
