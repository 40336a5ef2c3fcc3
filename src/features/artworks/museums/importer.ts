import type { Source } from '../readers/open_source.ts';
import type { Row } from '../readers/row.ts';
import type { ArtworkRecord, ArtworkRecordInput } from '../records/record.ts';
import { text } from './clean.ts';

/** What became of one row: a work, or the reason why it is none of ours. */
export type Mapped = { readonly record: ArtworkRecordInput } | { readonly leftOut: string };

/** Files, or the first page of a repository. */
export type Published =
  | {
      readonly files: readonly string[];
      /** Of all files together, when they were last looked at: said as an estimate where the museum's server does not answer. */
      readonly bytesAbout?: number;
    }
  | { readonly repository: string };

/** How one museum publishes, and how its rows become records. */
export interface Importer {
  /** What `dataset pull` fetches: files, or the first page of a repository. Absent: the museum publishes no bulk data. */
  readonly published?: Published;
  /** Where to get the file by hand, and which forms of it are read. For people. */
  readonly reads: string;
  /** The fields of a row that say that a work is free. For people. */
  readonly free: string;
  /** @throws SourceProblem where this is none of the museum's formats */
  rows(source: Source): AsyncIterable<Row>;
  /** @throws Error where a row is not what the museum publishes */
  map(row: Record<string, unknown>): Mapped;
  /** Absent: the museum answers nothing about single works. */
  readonly live?: LiveSource;
}

/** How one work is asked for at its museum's own interface. */
export interface LiveSource {
  /** Least time between two questions, in milliseconds: what the museum asks for, or slower. */
  readonly pauseMs: number;
  /** The setting with the key the museum wants. */
  readonly needs?: 'SMITHSONIAN_API_KEY' | 'PARIS_MUSEES_TOKEN';
  /** What of a work it gives; absent: record and picture. For people. */
  readonly gives?: string;
  /** What the museum has of a work. @throws MuseumAway; Error where an answer is not what the museum publishes */
  read(asked: Asked): Promise<Mapped>;
  /** The address of the picture in what a record of kind `lookup` names; "" where there is none. */
  pictureIn?(answer: Record<string, unknown>): string;
}

export interface Asked {
  /** As it is known here. */
  readonly record: ArtworkRecord;
  /** The museum's own number in its id. */
  readonly number: string;
  /** Value of the setting it `needs`; empty where it needs none. */
  readonly key: string;
  /** An object the interface answers. @throws MuseumAway */
  get(
    url: string,
    more?: { secret?: Record<string, string>; body?: string },
  ): Promise<Record<string, unknown>>;
}

/** Licences that records and pictures are found under. */
export const CC0 = 'https://creativecommons.org/publicdomain/zero/1.0/';
export const PUBLIC_DOMAIN_MARK = 'https://creativecommons.org/publicdomain/mark/1.0/';

/** Reasons that are the same at several museums. */
export const NOT_PUBLIC_DOMAIN = 'the museum does not say that it is in the public domain';
export const NO_NUMBER = 'no number of its own';

const IS_CC0 = /creativecommons\.org\/publicdomain\/zero\/|public-domain\/cc0|^cc[- ]?0(?: 1\.0)?$/i;
const IS_MARKED = /creativecommons\.org\/publicdomain\/mark\/|^pdm$|^public domain(?: mark(?: 1\.0)?)?$/i;

/** The rights that a field states by the address or name of CC0 or of the public-domain mark; undefined where it states anything else. */
export function statedRights(field: string, value: unknown): ArtworkRecordInput['rights'] | undefined {
  const said = text(value, 300);
  if (IS_CC0.test(said)) return { status: 'cc0', evidence: { field, value: said }, url: CC0 };
  return IS_MARKED.test(said)
    ? { status: 'public_domain', evidence: { field, value: said }, url: PUBLIC_DOMAIN_MARK }
    : undefined;
}
