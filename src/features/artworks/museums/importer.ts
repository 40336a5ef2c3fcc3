import type { Source } from '../readers/open_source.ts';
import type { Row } from '../readers/row.ts';
import type { ArtworkRecord, ArtworkRecordInput } from '../records/record.ts';

/** What became of one row: a work, or the reason why it is none of ours. */
export type Mapped = { readonly record: ArtworkRecordInput } | { readonly leftOut: string };

/** How one museum publishes, and how its rows become records. */
export interface Importer {
  /** What `dataset pull` fetches: files, or the first page of a repository. Absent: the museum publishes no bulk data. */
  readonly published?: { readonly files: readonly string[] } | { readonly repository: string };
  /** Where to get the file by hand, and which forms of it are read. For people. */
  readonly reads: string;
  /** @throws SourceProblem where this is none of the museum's formats */
  rows(source: Source): AsyncIterable<Row>;
  /** @throws Error where a row is not what the museum publishes */
  map(row: Record<string, unknown>): Mapped;
  readonly live: LiveSource;
}

/** How one work is asked for at its museum's own interface. */
export interface LiveSource {
  /** Least time between two questions, in milliseconds: what the museum asks for, or slower. */
  readonly pauseMs: number;
  /** The setting with the key the museum wants. */
  readonly needs?: 'SMITHSONIAN_API_KEY' | 'PARIS_MUSEES_TOKEN';
  /** What the museum has of a work. @throws MuseumAway; Error where an answer is not what the museum publishes */
  read(asked: Asked): Promise<Mapped>;
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
