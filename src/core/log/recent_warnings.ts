import type { LoggerOptions } from 'pino';

const WARNINGS_KEPT_MAX = 100;
const TEXT_CHARACTERS_MAX = 300;
/** Numeric levels of pino. */
const WARN = 40;
const ERROR = 50;

/** A log line of level warn or above. */
export interface LoggedWarning {
  readonly at: Date;
  readonly level: 'warn' | 'error';
  readonly message: string;
  /** Message of the error, and the names of its subject. */
  readonly detail: string;
}

interface RecentWarnings {
  /** Hooks for the logger whose lines are recorded. */
  readonly hooks: NonNullable<LoggerOptions['hooks']>;
  /** Newest first; without refusals of clients, which are listed separately. */
  recent(): readonly LoggedWarning[];
}

/** Records the last warnings and errors of this process's log in memory. Fields are dropped, except those named in `detailOf`. */
export function recordWarnings(): RecentWarnings {
  const lines: LoggedWarning[] = [];
  return {
    hooks: {
      logMethod(args, method, level) {
        const [first, second] = args as readonly unknown[];
        const fields = typeof first === 'object' && first !== null ? (first as Record<string, unknown>) : {};
        if (level >= WARN && fields.audit === undefined) {
          const message = typeof first === 'string' ? first : typeof second === 'string' ? second : '';
          lines.unshift({
            at: new Date(),
            level: level >= ERROR ? 'error' : 'warn',
            message: message.slice(0, TEXT_CHARACTERS_MAX),
            detail: detailOf(fields),
          });
          lines.splice(WARNINGS_KEPT_MAX);
        }
        method.apply(this, args);
      },
    },
    recent: () => lines,
  };
}

function detailOf({ err, tool, engine, chore, model }: Record<string, unknown>): string {
  const about = [tool, engine, chore, model].filter((name) => typeof name === 'string');
  const message = err instanceof Error ? [err.message] : [];
  return [...about, ...message].join(': ').slice(0, TEXT_CHARACTERS_MAX);
}
