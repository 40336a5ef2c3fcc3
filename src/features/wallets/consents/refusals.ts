import { AtelierError } from '../../../core/errors/atelier_error.ts';

export const consentNotFound = (): AtelierError => new AtelierError('consent_not_found');
export const consentOver = (): AtelierError => new AtelierError('consent_over');

/** @param what such as "requests for keys" */
export const tooManyRequests = (what: string): AtelierError =>
  new AtelierError(
    'too_many_requests',
    `Too many ${what} wait for an answer. Have a person answer those that are open, or wait a quarter of an hour.`,
    { retryAfterSeconds: 60 },
  );
