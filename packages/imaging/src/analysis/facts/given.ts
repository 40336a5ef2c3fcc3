/** What the caller says of the work. Data, passed on as it is; empty where nothing was said. */
export interface Given {
  readonly title: string;
  readonly artist_name: string;
  readonly copyright_holder: string;
  readonly creation_year: string;
  readonly content_type: 'artwork' | 'photo';
  /** The creator's brief. */
  readonly context: string;
  /** Where a record and not the caller says all this: whose it is, and what it lists as shown. */
  readonly museum?: { readonly name: string; readonly subjects: readonly string[] };
}

/** One line without control characters and marks that turn the direction of writing: other people's words stay words. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
