import { z } from 'zod';
import { WORKSPACE_ITEMS_MAX } from '../../../config/limits.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { isObjectText, parseBoundedJson } from '../../../core/json/parse_bounded_json.ts';
import { cleanFileName } from '../../../core/storage/blobs/file_name.ts';
import {
  ACT_ANSWER_CHARACTERS_MAX,
  ACT_INPUT_CHARACTERS_MAX,
  BRANCH_CHARACTERS_MAX,
  CAPTION_CHARACTERS_MAX,
  COMMENT_CHARACTERS_MAX,
  OUTPUTS_MAX,
  PERSON_CHARACTERS_MAX,
  POSITION_MAX,
  TITLE_CHARACTERS_MAX,
} from '../limits.ts';
import { plainLines, plainText } from '../texts.ts';

/** Lines of a workspace in an archive. Archives are untrusted: their texts are sanitised like those of clients. */

/** Far above any counter of a workspace. */
const number = z.int().min(1).max(1_000_000);
const counter = z.int().min(0).max(1_000_000_000);
const numbers = (most: number) => z.array(number).max(most);
const moment = z.iso
  .datetime()
  .max(40)
  .regex(/^2\d{3}-/, 'must be a plausible date');
const line = (charactersMax: number) =>
  z
    .string()
    .max(4 * charactersMax)
    .transform((text) => plainText(text, charactersMax));
const lines = (charactersMax: number) =>
  z
    .string()
    .max(4 * charactersMax)
    .transform((text) => plainLines(text, charactersMax));
const named = (charactersMax: number) =>
  line(charactersMax).refine((text) => text !== '', 'must have a visible character');
const position = z.number().min(-POSITION_MAX).max(POSITION_MAX).nullable();
/** A JSON object as text. */
const objectText = (charactersMax: number) =>
  z.string().max(charactersMax).refine(isObjectText, 'must be a JSON object').nullable();

/** Restricted, because names of tools become part of exported programs. */
const IDENTIFIER = /^[a-z][a-z0-9_]{0,63}$/;
const ERROR_CHARACTERS_MAX = 1_000;
const PATH_CHARACTERS_MAX = 200;
const CHARGED_MAX = 1e12;

const recordSchema = z.discriminatedUnion('record', [
  z.object({
    record: z.literal('workspace'),
    title: named(TITLE_CHARACTERS_MAX),
    branch: named(BRANCH_CHARACTERS_MAX),
    events: counter,
    items: counter,
    acts: counter,
    comments: counter,
    links: counter,
    people: counter,
    created_at: moment,
    changed_at: moment,
  }),
  z.object({
    record: z.literal('link'),
    number,
    role: z.enum(['view', 'work', 'own']),
    name: line(PERSON_CHARACTERS_MAX),
    created_at: moment,
    revoked_at: moment.nullable(),
  }),
  z.object({
    record: z.literal('person'),
    number,
    /** Addresses of other wallets are not exported. */
    is_owner: z.boolean(),
    name: line(TITLE_CHARACTERS_MAX),
    is_agent: z.boolean(),
    link: number.nullable(),
  }),
  z.object({
    record: z.literal('item'),
    number,
    act: number.nullable(),
    /** Restricted, because it becomes part of exported programs. */
    path: z
      .string()
      .max(PATH_CHARACTERS_MAX)
      .regex(/^\w+(\.\w+)*$/)
      .nullable(),
    name: z
      .string()
      .max(4 * TITLE_CHARACTERS_MAX)
      .transform((text) => cleanFileName(text)?.slice(0, TITLE_CHARACTERS_MAX) ?? 'image'),
    caption: lines(CAPTION_CHARACTERS_MAX),
    x: position,
    y: position,
    is_hidden: z.boolean(),
    trashed_at: moment.nullable(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    author: number,
    created_at: moment,
  }),
  z
    .object({
      record: z.literal('act'),
      number,
      tool: z.string().regex(IDENTIFIER),
      state: z.enum(['done', 'failed']),
      parent: number.nullable(),
      branch: named(BRANCH_CHARACTERS_MAX),
      input: objectText(ACT_INPUT_CHARACTERS_MAX),
      answer: objectText(ACT_ANSWER_CHARACTERS_MAX),
      inputs: numbers(WORKSPACE_ITEMS_MAX),
      outputs: numbers(OUTPUTS_MAX),
      charged: z.int().min(0).max(CHARGED_MAX),
      error: z.object({ code: z.string().regex(IDENTIFIER), detail: lines(ERROR_CHARACTERS_MAX) }).nullable(),
      step: named(TITLE_CHARACTERS_MAX).nullable(),
      is_whole: z.boolean(),
      author: number,
      started_at: moment,
      ended_at: moment,
    })
    .refine(({ number: own, parent }) => parent === null || parent < own, 'must come after its parent')
    .refine(
      ({ state, error }) => (state === 'failed') === (error !== null),
      'must have an error if it failed',
    ),
  z.object({
    record: z.literal('branch'),
    name: named(BRANCH_CHARACTERS_MAX),
    head: number.nullable(),
    tip: number.nullable(),
  }),
  z.object({
    record: z.literal('comment'),
    number,
    text: lines(COMMENT_CHARACTERS_MAX),
    item: number.nullable(),
    act: number.nullable(),
    author: number,
    created_at: moment,
  }),
]);

export type ArchiveRecord = z.output<typeof recordSchema>;
export type RecordKind = ArchiveRecord['record'];
export type RecordOf<Kind extends RecordKind> = Extract<ArchiveRecord, { record: Kind }>;

/** Parses one line. @throws AtelierError archive_invalid */
export function readRecord(text: string, id: string): ArchiveRecord {
  const { success, data, error } = recordSchema.safeParse(jsonOf(text, id));
  if (success) return data;
  const [issue] = error.issues;
  throw archiveInvalid(id, `${issue?.path.join('.')} ${issue?.message}.`);
}

function jsonOf(text: string, id: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch (error) {
    throw archiveInvalid(id, `A line is not JSON. ${(error as Error).message}`);
  }
}

export const archiveInvalid = (id: string, what: string): AtelierError =>
  new AtelierError(
    'archive_invalid',
    `Archive rejected; nothing was imported. Its workspace ${id} is invalid: ${what}`,
  );
