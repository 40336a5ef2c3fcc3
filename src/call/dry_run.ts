import { invalidField } from '../errors/atelier_error.ts';

/** `dry_run: true` on any tool asks for the price only. */
export const isDryRun = (raw: unknown): boolean => hasDryRun(raw) && raw.dry_run === true;

/**
 * The input without it. @throws AtelierError for anything but true and false: whoever means "true" must not be charged
 * for a field that was ignored
 */
export function withoutDryRun(raw: unknown): unknown {
  if (!hasDryRun(raw)) return raw;
  const { dry_run: sent, ...rest } = raw;
  if (typeof sent === 'boolean') return rest;
  throw invalidField('dry_run', 'dry_run must be true or false.', { expected: 'boolean' });
}

const hasDryRun = (raw: unknown): raw is { dry_run: unknown } =>
  typeof raw === 'object' && raw !== null && Object.hasOwn(raw, 'dry_run');
