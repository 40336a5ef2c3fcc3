import { type AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';

const PART_CHARACTERS_SHOWN = 60;

/** Exactly so many whole numbers with commas between them; undefined where it is anything else. */
export const wholes = (text: string, count: number): number[] | undefined =>
  numbersOf(text, count, /^\d{1,9}$/);

/** The same of numbers that may have decimals: digits and a point, no sign and no exponent (Image API 3.0, 4.7). */
export const decimals = (text: string, count: number): number[] | undefined =>
  numbersOf(text, count, /^(\d{1,9}(\.\d{1,15})?|\.\d{1,15})$/);

function numbersOf(text: string, count: number, form: RegExp): number[] | undefined {
  const parts = text.split(',');
  return parts.length === count && parts.every((part) => form.test(part)) ? parts.map(Number) : undefined;
}

/** What is wrong with one part of the address of a picture, and what to send instead. */
export const refuse = (part: string, message: string): AtelierError =>
  invalidField(
    part,
    message.replace(/"([^"]*)"/, (_, text: string) => `"${text.slice(0, PART_CHARACTERS_SHOWN)}"`),
  );
