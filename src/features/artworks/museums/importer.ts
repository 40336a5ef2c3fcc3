import type { Source } from '../readers/open_source.ts';
import type { Row } from '../readers/row.ts';
import type { ArtworkRecord, ArtworkRecordInput } from '../records/record.ts';
import { text } from './clean.ts';

/** Result of mapping a row: a work, or the reason why it is not imported. */
export type Mapped = { readonly record: ArtworkRecordInput } | { readonly leftOut: string };

/** Files, or the first page of a repository. */
export type Published =
  | {
      readonly files: readonly string[];
      /**
       * Total size of all files when they were last checked; an estimate if the museum's server does not
       * state it.
       */
      readonly bytesAbout?: number;
    }
  | { readonly repository: string };

/** Describes how a museum publishes its data, and maps its rows to records. */
export interface Importer {
  /**
   * What `dataset pull` downloads: files, or the first page of a repository. Absent: the museum publishes no
   * bulk data.
   */
  readonly published?: Published;
  /** Where to download the file manually, and the formats that are read. For people. */
  readonly reads: string;
  /** The fields of a row that state that a work is free. For people. */
  readonly free: string;
  /** @throws SourceProblem if the source is in none of the museum's formats */
  rows(source: Source): AsyncIterable<Row>;
  /** @throws Error if the row is not in the museum's format */
  map(row: Record<string, unknown>): Mapped;
  /** Absent: the museum has no API for single works. */
  readonly live?: LiveSource;
}

/** Requests single works from a museum's API. */
export interface LiveSource {
  /** Minimum interval between two requests in ms, at least what the museum asks for. */
  readonly pauseMs: number;
  /** Setting with the API key that the museum requires. */
  readonly needs?: 'SMITHSONIAN_API_KEY' | 'PARIS_MUSEES_TOKEN';
  /** What the API returns for a work; absent: record and image. For people. */
  readonly gives?: string;
  /**
   * Requests a work.
   * @throws MuseumAway; Error if a response is not in the museum's format
   */
  read(asked: Asked): Promise<Mapped>;
  /** URL of the image in the response for a record of kind `lookup`; "" without one. */
  pictureIn?(answer: Record<string, unknown>): string;
}

export interface Asked {
  /** The stored record. */
  readonly record: ArtworkRecord;
  /** The museum's own number, from the id. */
  readonly number: string;
  /** Value of the setting `needs`; empty if none is needed. */
  readonly key: string;
  /**
   * Requests a JSON object.
   * @throws MuseumAway
   */
  get(
    url: string,
    more?: { secret?: Record<string, string>; body?: string },
  ): Promise<Record<string, unknown>>;
}

/** Licences that apply to records and images. */
export const CC0 = 'https://creativecommons.org/publicdomain/zero/1.0/';
export const PUBLIC_DOMAIN_MARK = 'https://creativecommons.org/publicdomain/mark/1.0/';

/** Reasons shared by several museums. */
export const NOT_PUBLIC_DOMAIN = 'the museum does not state that it is in the public domain';
export const NO_NUMBER = 'no inventory number';

const IS_CC0 = /creativecommons\.org\/publicdomain\/zero\/|public-domain\/cc0|^cc[- ]?0(?: 1\.0)?$/i;
const IS_MARKED = /creativecommons\.org\/publicdomain\/mark\/|^pdm$|^public domain(?: mark(?: 1\.0)?)?$/i;

/**
 * The rights stated by a field that contains the URL or name of CC0 or the public domain mark; undefined for
 * any other value.
 */
export function statedRights(field: string, value: unknown): ArtworkRecordInput['rights'] | undefined {
  const said = text(value, 300);
  if (IS_CC0.test(said)) return { status: 'cc0', evidence: { field, value: said }, url: CC0 };
  return IS_MARKED.test(said)
    ? { status: 'public_domain', evidence: { field, value: said }, url: PUBLIC_DOMAIN_MARK }
    : undefined;
}
