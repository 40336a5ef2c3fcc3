import { WELCOME_CREDITS } from '../../../config/limits.ts';
import type { AtelierError } from '../../../core/errors/atelier_error.ts';
import { ERRORS } from '../../../core/errors/codes.ts';
import { creditsLabel } from '../frame.ts';
import { nameOfPart } from './settings.ts';
import type { Field } from './tool_fields.ts';

/** "3 s", "2 min", "under 1 s" */
export function secondsText(seconds: number): string {
  if (seconds < 1) return 'under 1 s';
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/** "0.5 s", as measured */
export const tookText = (seconds: number): string =>
  seconds < 10 ? `${Math.max(0.1, Math.round(seconds * 10) / 10)} s` : secondsText(seconds);

const TYPES: Readonly<Record<string, string>> = { 'svg+xml': 'SVG', webp: 'WebP', 'x-icon': 'ICO' };

/** "PNG", "SVG", "PDF" */
export function typeText(contentType: string): string {
  const kind = contentType.split(/[/;]/)[1] ?? contentType;
  return TYPES[kind] ?? kind.toUpperCase();
}

/** Text of a button with its price: "Upscale an image (2 credits)", "Resize an image (free)". */
export function pressText(title: string, credits: number | undefined, times = 1): string {
  const deed = times > 1 ? `${title} ${times} times` : title;
  if (credits === undefined) return deed;
  return credits === 0 ? `${deed} (free)` : `${deed} (${creditsLabel(credits * times)})`;
}

/** "2 credits (balance 8)", "2 credits", "free" */
export function priceText(credits: number, balance: number | undefined): string {
  if (credits === 0) return 'free';
  return balance === undefined ? creditsLabel(credits) : `${creditsLabel(credits)} (balance ${balance})`;
}

/** An error as shown to a person. */
export interface Refusal {
  readonly text: string;
  readonly fix?: string;
  /** By the name of the field. */
  readonly fields: Readonly<Record<string, string>>;
  /** Credits or a wallet are missing. */
  readonly isPurse: boolean;
}

/** @param fields of the tool that returned the error */
export function refusalOf(error: AtelierError, fields: readonly Field[]): Refusal {
  const problems = (error.details.errors ?? []).flatMap(
    ({ field, message }): (readonly [string, string])[] => {
      const names = field.split('.');
      const known = fields.find((one) => names.includes(one.name));
      const part = known?.parts?.find(({ name }) => names[1] === name);
      if (!known || !part)
        return [[known?.name ?? names[0]!, known ? enumSynonyms(known, message) : message]];
      const name = nameOfPart(known.name, part);
      const text = message.replace(name, part.label);
      return [known.name, name].map((place) => [place, text]);
    },
  );
  const isPurse = error.status === 402;
  if (isPurse) return { text: walletText(error), fields: {}, isPurse };
  if (problems.length > 0) {
    const texts = problems.map(([, text]) => text);
    return { text: [...new Set(texts)].join(' '), fields: Object.fromEntries(problems), isPurse };
  }
  const fix = error.message.includes(ERRORS[error.code].fix) ? undefined : ERRORS[error.code].fix;
  return { text: error.message, fields: {}, isPurse, ...(fix && { fix }) };
}

/** The missing credits or wallet; the page adds a link to get them. */
function walletText({ details }: AtelierError): string {
  const { required, available } = (details.members?.credits ?? {}) as {
    required?: number;
    available?: number;
  };
  if (required === undefined) return `This costs credits. A new wallet has ${WELCOME_CREDITS}.`;
  if (available === undefined)
    return `This costs ${creditsLabel(required)}. A new wallet has ${WELCOME_CREDITS}.`;
  return `This costs ${creditsLabel(required)}. Your balance is ${available}.`;
}

/** The API message with the label of the field instead of its name. */
function enumSynonyms({ name, label, kind }: Field, message: string): string {
  const isMissing = /is required/.test(message);
  if (isMissing && kind === 'picture') return 'Choose an image.';
  if (isMissing && kind === 'file') return 'Choose a file.';
  if (isMissing && kind === 'wallet') return 'Create or enter a wallet first.';
  return message.replace(name, label);
}
