/** The client's statements about the work. Untrusted data, returned unchanged; empty without statements. */
export interface Given {
  readonly title: string;
  readonly artist_name: string;
  readonly copyright_holder: string;
  readonly creation_year: string;
  readonly content_type: 'artwork' | 'photo';
  /** The creator's brief. */
  readonly context: string;
  /** If a record instead of the client supplies them: the museum, and the depicted subjects it lists. */
  readonly museum?: { readonly name: string; readonly subjects: readonly string[] };
}

/** One line without control or bidirectional characters, so that untrusted text cannot affect its surroundings. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
