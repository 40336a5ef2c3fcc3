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

/** What a press does and costs: "Upscale an image for 2 credits", "Resize an image, free". */
export function pressText(title: string, credits: number | undefined, times = 1): string {
  const deed = times > 1 ? `${title} ${times} times` : title;
  if (credits === undefined) return deed;
  return credits === 0 ? `${deed}, free` : `${deed} for ${creditsLabel(credits * times)}`;
}

/** "2 of your 8 credits", "2 credits", "free" */
export function priceText(credits: number, balance: number | undefined): string {
  if (credits === 0) return 'free';
  return balance === undefined ? creditsLabel(credits) : `${credits} of your ${creditsLabel(balance)}`;
}

/** A refusal for a person. */
export interface Refusal {
  readonly text: string;
  readonly fix?: string;
  /** By the name of the field. */
  readonly fields: Readonly<Record<string, string>>;
  /** Where credits or a wallet are missing. */
  readonly isPurse: boolean;
}

/** @param fields of the tool that refused */
export function refusalOf(error: AtelierError, fields: readonly Field[]): Refusal {
  const problems = (error.details.errors ?? []).flatMap(
    ({ field, message }): (readonly [string, string])[] => {
      const names = field.split('.');
      const known = fields.find((one) => names.includes(one.name));
      const part = known?.parts?.find(({ name }) => names[1] === name);
      if (!known || !part) return [[known?.name ?? names[0]!, known ? inWords(known, message) : message]];
      const name = nameOfPart(known.name, part);
      const text = message.replace(name, part.label);
      return [known.name, name].map((place) => [place, text]);
    },
  );
  const isPurse = error.status === 402;
  if (isPurse) return { text: purseText(error), fields: {}, isPurse };
  if (problems.length > 0) {
    const texts = problems.map(([, text]) => text);
    return { text: [...new Set(texts)].join(' '), fields: Object.fromEntries(problems), isPurse };
  }
  const fix = error.message.includes(ERRORS[error.code].fix) ? undefined : ERRORS[error.code].fix;
  return { text: error.message, fields: {}, isPurse, ...(fix && { fix }) };
}

/** What is missing, as far as the refusal says; the page adds where to get it. */
function purseText({ details }: AtelierError): string {
  const { required, available } = (details.members?.credits ?? {}) as {
    required?: number;
    available?: number;
  };
  if (required === undefined) return `This needs credits. A new wallet has ${WELCOME_CREDITS}.`;
  if (available === undefined)
    return `This needs a wallet with ${creditsLabel(required)}. A new one has ${WELCOME_CREDITS}.`;
  return `This needs ${creditsLabel(required)} and you have ${available}.`;
}

/** The sentence of the API, with the name people see. */
function inWords({ name, label, kind }: Field, message: string): string {
  const isMissing = /is required/.test(message);
  if (isMissing && kind === 'picture') return 'Choose an image.';
  if (isMissing && kind === 'file') return 'Choose a file.';
  if (isMissing && kind === 'wallet') return 'Open a wallet first, or name one.';
  return message.replace(name, label);
}
