import { invalidField } from '../../../core/errors/atelier_error.ts';

/**
 * What stands in `metadata` and follows from `rights` or `ai` too has to be the same in both.
 * @throws AtelierError invalid_input naming both
 */
export function refuseContradictions(
  metadata: Readonly<Record<string, unknown>>,
  from: 'rights' | 'ai',
  fields: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(fields)) {
    const given = metadata[name];
    if (typeof given !== 'string' || given === '' || given === value) continue;
    throw invalidField(
      `metadata.${name}`,
      `metadata.${name} is ${short(given)}, but ${from} says ${short(value)}. Leave metadata.${name} out, or let both say the same.`,
      { expected: value.slice(0, SHOWN_CHARACTERS_MAX), got: given.slice(0, SHOWN_CHARACTERS_MAX) },
    );
  }
}

const SHOWN_CHARACTERS_MAX = 120;

const short = (text: string): string =>
  JSON.stringify(text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}…` : text);
