import { z } from 'zod';
import type { AiLayer, AiStatement, MarkedAsAi } from '../evidence/types.ts';

const LAYERS = [
  'c2pa',
  'iptc',
  'soulmark',
  'watermark',
  'visible_label',
] as const satisfies readonly AiLayer[];

export const markedAsAiField = z
  .enum(['yes', 'no_trace', 'contradictory'])
  .describe(
    'yes: a layer says that AI made the image or a part of it. no_trace: none does, which does not rule out AI. contradictory: layers disagree.',
  );

export const aiMarksField = z
  .array(
    z.object({
      layer: z.enum(LAYERS),
      is_ai: z.boolean().describe('false: it names a source without AI, such as a camera.'),
      says: z.string().describe('Digital Source Type, such as trainedAlgorithmicMedia, or text.'),
      who: z.string().nullable().describe('Organisation in the certificate, provider or credit.'),
      software: z.string().nullable(),
      place: z.string(),
      signature: z
        .enum(['holds', 'broken', 'none'])
        .describe('broken: over other bytes, or a watermark made for another image.'),
      trust: z
        .enum(['trusted', 'untrusted', 'not_checked'])
        .describe('Whether the signer is this server or on its trust list. not_checked: there is no list.'),
    }),
  )
  .describe('How the image was made, according to each layer.');

export type AiMark = z.output<typeof aiMarksField>[number];

export const aiMarksAnswer = ({ verdict, statements }: MarkedAsAi) => ({
  marked_as_ai: verdict,
  ai_marks: statements.map(markOf),
});

const markOf = ({ isAi, who, software, ...said }: AiStatement): AiMark => ({
  ...said,
  is_ai: isAi,
  says: oneLine(said.says),
  who: who === undefined ? null : oneLine(who),
  software: software === undefined ? null : oneLine(software),
});

const SHOWN_CHARACTERS_MAX = 120;

/** Text of a file on one line, without bidirectional control characters. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, SHOWN_CHARACTERS_MAX)
    .toWellFormed();

export const LAYER_NAMES: Readonly<Record<AiLayer, string>> = {
  c2pa: 'C2PA manifest',
  iptc: 'IPTC metadata',
  soulmark: 'Soulmark',
  watermark: 'Watermark',
  // Read from the metadata. A crop may have removed the label from the pixels.
  visible_label: 'Label named in metadata',
};

/**
 * Owner, layer, source type and signature of a mark: `IPTC metadata of “OpenAI” (trainedAlgorithmicMedia, not
 * signed)`.
 */
const nameOf = ({ layer, who, software, says, signature }: AiMark): string => {
  const owner = who ?? software;
  return `${LAYER_NAMES[layer]}${owner === null ? '' : ` of “${owner}”`} (${says}${SIGNATURES[signature]})`;
};

const SIGNATURES: Readonly<Record<AiMark['signature'], string>> = {
  holds: '',
  broken: ', signature broken',
  none: ', not signed',
};

/** Names the marks, each distinct one once. */
export const namesOf = (marks: readonly AiMark[]): string =>
  new Intl.ListFormat('en-GB').format([...new Set(marks.map(nameOf))]);

/** The verdict on AI in one or two sentences; undefined if there is no trace. */
export function sentenceOfMarks(
  verdict: MarkedAsAi['verdict'],
  marks: readonly AiMark[],
): string | undefined {
  const ai = marks.filter(({ is_ai }) => is_ai);
  switch (verdict) {
    case 'no_trace':
      return undefined;
    case 'yes':
      return `Marked as made with AI: ${namesOf(ai)}.`;
    case 'contradictory': {
      const others = marks.filter(({ is_ai }) => !is_ai);
      const against =
        others.length > 0
          ? `but other layers name a source without AI: ${namesOf(others)}`
          : 'but the watermark was made for another image';
      return `The layers contradict each other. Marked as made with AI: ${namesOf(ai)}; ${against}.`;
    }
  }
}
