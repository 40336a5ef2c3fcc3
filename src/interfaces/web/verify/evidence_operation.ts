import { z } from 'zod';
import { defineOperation } from '../../../features/definitions/operation.ts';
import { LAYER_NAMES } from '../../../features/provenance/tools/ai_marks_answer.ts';
import { bytesLabel } from '../labels.ts';
import { typeText } from '../tools/words.ts';
import type { Studio } from '../types.ts';
import { visitOf } from '../visit_of.ts';
import { type Checked, checkPicture } from './check_picture.ts';
import { verdictOf } from './verdict.ts';
import {
  beliefOf,
  CODEX_STATES,
  describeCodex,
  describeDifference,
  describeMatch,
  describePolicy,
  FINDINGS,
  LAWS,
  NO_TRACE,
  outcomeOf,
  saysOf,
  sureOfWhisper,
  type Verification,
  WITNESSES,
} from './words.ts';

/** Origin and time of an evidence sheet. */
interface Said {
  readonly server: string;
  readonly version: string;
  readonly at: Date;
}

/** A heading and its lines; sections without lines are omitted. */
type Section = readonly [heading: string, lines: readonly string[]];
type Rows = readonly (readonly [name: string, value: string])[];

/** Findings about an image as a self-contained plain text. It is not signed. */
function evidenceSheet(
  { found, picture, sizeBytes, sha256 }: Checked,
  { server, version, at }: Said,
): string {
  const { answer, more } = verdictOf(found);
  const sections: readonly Section[] = [
    [
      'EVIDENCE SHEET',
      rowsOf([
        ['Checked by', `${server} (Atelier ${version}), ${at.toISOString()}`],
        [
          'File',
          `${typeText(`image/${picture.format}`)}, ${picture.width} x ${picture.height}, ${bytesLabel(sizeBytes)}`,
        ],
        ['SHA-256', sha256],
        ['PDQ', `${found.computed_hash}, quality ${found.quality} of 100`],
      ]),
    ],
    ['RESULT', [[answer, ...more].join(' '), ...rowsOf(describeMatch(found))]],
    ['AI MARKINGS', marksIn(found)],
    [
      'EVIDENCE BY SOURCE',
      found.witnesses.flatMap(({ witness, finding, sentence }) => [
        `${WITNESSES[witness].name}: ${FINDINGS[finding].word}. ${sentence}`,
        `  ${WITNESSES[witness].limits}`,
      ]),
    ],
    [
      'DIFFERENCES',
      found.difference && found.verdict !== 'identical' ? describeDifference(found.difference) : [],
    ],
    ...readIn(found),
  ];
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([heading, lines]) => [heading, ...lines.map(plain)].join('\n'))
    .join('\n\n')
    .concat('\n');
}

const marksIn = ({ ai_marks: marks }: Verification): string[] =>
  marks.length === 0
    ? [NO_TRACE]
    : marks.map((mark) => {
        const by = [mark.who, mark.software].filter((name) => name !== null).join(', ');
        return `${LAYER_NAMES[mark.layer]}: ${saysOf(mark).word}. ${by ? `${by}: ` : ''}${mark.says} (${mark.place}). ${beliefOf(mark)}`;
      });

function readIn({
  watermark_authorship: mark,
  codex,
  rights_policy: policy,
  ai_evidence: evidence,
}: Verification): Section[] {
  const whisper = codex?.soul_whisper;
  return [
    [
      'WATERMARK',
      mark ? [mark.sentence, ...rowsOf([['Signed by', mark.signed_by ?? 'no verified signer']])] : [],
    ],
    [
      'EMBEDDED METADATA',
      codex
        ? [
            CODEX_STATES[codex.state],
            ...rowsOf([
              ...(whisper
                ? ([
                    ['Message', whisper.message],
                    ['From', `${whisper.sender || 'not stated'} (${sureOfWhisper(codex)})`],
                  ] as const)
                : []),
              ...describeCodex(codex),
            ]),
          ]
        : [],
    ],
    ['RIGHTS', policy ? [...rowsOf(describePolicy(policy)), ...policy.conflicts] : []],
    [
      'AI MARKING REQUIREMENTS',
      (evidence ?? []).map((row) => {
        const { law, measure, title, by, tested } = row;
        return `${LAWS[law]}, ${measure} ${title}: ${outcomeOf(row).word}. ${by}${tested === null ? '' : ` ${tested}`}`;
      }),
    ],
  ];
}

const rowsOf = (rows: Rows): string[] => rows.map(([name, value]) => `${name}: ${value}`);

/** Removes line breaks and bidi controls from untrusted text. */
const plain = (line: string): string => line.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trimEnd();

const HASH_DIGITS_SHOWN = 12;

/** Download of the evidence sheet. The check runs again, so that the sheet has the current time. */
export const evidenceOperation = (studio: Studio) =>
  defineOperation({
    name: 'studio_evidence',
    methods: ['GET'],
    path: '/verify/evidence',
    tag: 'studio',
    summary: 'Evidence about an image as a text file.',
    input: z.object({ image: z.string().trim().min(1).max(300) }),
    answer: { file: 'text/plain', description: 'The evidence sheet.' },
    isPrivate: true,
    limit: { name: 'studio-evidence', calls: 120, perSeconds: 3600 },
    async run({ image }, _services: object, call) {
      const checked = await checkPicture(image, await visitOf(studio, call));
      const name = `evidence_${checked.sha256.slice(0, HASH_DIGITS_SHOWN)}.txt`;
      return {
        bytes: evidenceSheet(checked, { server: studio.publicUrl, version: studio.version, at: new Date() }),
        contentType: 'text/plain; charset=utf-8',
        headers: {
          'Content-Disposition': `attachment; filename="${name}"`,
          'Cache-Control': 'private, no-store',
        },
      };
    },
  });
