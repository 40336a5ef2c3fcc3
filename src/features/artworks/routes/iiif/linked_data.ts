import type { BytesAnswer, FileType } from '../../../definitions/operation.ts';

interface Wanted {
  /** What the terms of the document mean, the type of it when nobody asks for another. */
  readonly context: string;
  readonly accept: string | undefined;
  /** Of header `Link`, beside what a plain type needs. */
  readonly links?: readonly string[];
  /** Plain JSON where nobody says what they want: as the second version of the Image API has it. */
  readonly isPlain?: boolean;
}

/** A document of IIIF, as JSON-LD or as JSON: whichever is asked for. */
export function linkedData(
  document: object,
  { context, accept = '', links = [], isPlain = false }: Wanted,
): BytesAnswer {
  const asksFor = {
    linked: accept.includes('application/ld+json'),
    plain: accept.includes('application/json'),
  };
  const isLinked = asksFor.linked || (!asksFor.plain && !isPlain);
  const link = isLinked
    ? links
    : [...links, `<${context}>;rel="${JSON_LD_CONTEXT}";type="application/ld+json"`];
  return {
    bytes: JSON.stringify(document),
    contentType: isLinked ? `application/ld+json;profile="${context}"` : 'application/json',
    headers: { Vary: 'Accept', ...(link.length > 0 && { Link: link.join(', ') }) },
  };
}

/** What OpenAPI says of such a document. */
export const linkedDocument = (description: string): FileType => ({
  file: 'application/ld+json',
  alsoAs: 'application/json',
  description,
});

const JSON_LD_CONTEXT = 'http://www.w3.org/ns/json-ld#context';
