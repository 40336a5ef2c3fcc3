import { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { type DestinationStream, pino } from 'pino';

/** Every line has these fields, which are redundant at a terminal. */
const KNOWN = ['level', 'time', 'pid', 'hostname', 'msg'];
const COLORS = {
  trace: 'dim',
  debug: 'dim',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
} as const;

interface Output {
  readonly isTTY?: boolean;
  hasColors?(): boolean;
  write(text: string): unknown;
}

/** Log destination: JSON lines for programs, readable lines for a terminal. */
export function logOutput(output: Output): DestinationStream {
  if (!output.isTTY) return pino.destination({ fd: 1, sync: true });
  return new Writable({
    write(line, _encoding, done) {
      output.write(`${readableLine(String(line), output.hasColors?.() === true)}\n`);
      done();
    },
  });
}

/** `12:03:04 warn the disk is almost full engine=resize`, and the stack of an error below. */
export function readableLine(line: string, isColored = false): string {
  const fields = JSON.parse(line) as Record<string, unknown>;
  const { level, time, msg, err } = fields;
  const name = (pino.levels.labels[Number(level)] ?? 'info') as keyof typeof COLORS;
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    isColored ? styleText(style, text, { validateStream: false }) : text;
  const others = Object.entries(fields).filter(([key]) => !KNOWN.includes(key) && key !== 'err');
  const stack = (err as { stack?: string } | undefined)?.stack;
  return [
    paint('dim', new Date(Number(time)).toISOString().slice(11, 19)),
    paint(COLORS[name], name),
    String(msg ?? ''),
    ...others.map(([key, value]) => paint('dim', `${key}=${textOf(value)}`)),
  ]
    .filter(Boolean)
    .join(' ')
    .concat(stack ? `\n${stack.replaceAll(/^/gm, '    ')}` : '');
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
