/** Everything that can happen here and be told to others. */
export const EVENTS = [
  'tool.completed',
  'tool.failed',
  'job.queued',
  'job.completed',
  'job.failed',
  'job.canceled',
  'credits.purchased',
  'credits.low',
  'credits.refunded',
  'wallet.registered',
  'wallet.locked',
  'payment.captured',
  'payment.released',
  'asset.saved',
  'asset.deleted',
  'provenance.registered',
  'provenance.match_found',
  'dataset.batch_ready',
  'gallery.posted',
  'cafe.posted',
  'registry.signed',
  'webhook.test',
] as const;

const SUBJECTS = new Set(EVENTS.map((event) => event.slice(0, event.indexOf('.'))));
const KNOWN = new Set<string>(['*', ...EVENTS, ...[...SUBJECTS].map((subject) => `${subject}.*`)]);

/** Sorts what was asked for into names and patterns we know (`*`, `tool.*`) and others. Nothing asked means everything. */
export function sortEvents(asked: readonly string[]): { events: string[]; unknownEvents: string[] } {
  const names = [...new Set(asked)];
  return {
    events: names.length === 0 ? ['*'] : names.filter((name) => KNOWN.has(name)),
    unknownEvents: names.filter((name) => !KNOWN.has(name)),
  };
}
