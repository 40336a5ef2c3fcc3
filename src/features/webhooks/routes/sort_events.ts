import { EVENT_NAMES } from './events.ts';

const SUBJECTS = new Set(EVENT_NAMES.map((event) => event.slice(0, event.indexOf('.'))));
const KNOWN = new Set<string>(['*', ...EVENT_NAMES, ...[...SUBJECTS].map((subject) => `${subject}.*`)]);

/** Sorts what was asked for into names and patterns we know (`*`, `tool.*`) and others. Nothing asked means everything. */
export function sortEvents(asked: readonly string[]): { events: string[]; unknownEvents: string[] } {
  const names = [...new Set(asked)];
  return {
    events: names.length === 0 ? ['*'] : names.filter((name) => KNOWN.has(name)),
    unknownEvents: names.filter((name) => !KNOWN.has(name)),
  };
}
