import { jsonSchema } from '../../../catalog/json_schema.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { AnyOperation, OperationCall } from '../../../features/definitions/operation.ts';
import { operatorOperations } from '../../../features/operator/routes/index.ts';
import { OPERATOR_SCOPES } from '../../../features/operator/routes/keys.ts';
import type { Services } from '../../../features/services.ts';
import { validateInput } from '../../../pipeline/receive.ts';
import type { Command, Switches, Typed } from '../command.ts';
import type { FieldSchema } from '../input_schema.ts';
import { resultTable } from '../result_table.ts';
import { configOf, DATA_SWITCH } from '../setting_switches.ts';
import { replaceControls } from '../terminal.ts';
import { UsageError } from '../usage_error.ts';
import type { World } from '../world.ts';

/** Words in examples. */
const EXAMPLES: Readonly<Record<string, string>> = {
  wallet: '0x…',
  credits: '10',
  name: 'met',
  month: '2026-11',
  purchase: '2026-000042',
};

/**
 * `atelier admin …`: one command for each operator operation, run in the folder of a server, even while the
 * server runs.
 */
export const adminCommands: readonly Command[] = operatorOperations.map(adminCommand);

/** Access to the database is sufficient: no token is needed. */
const CALL = { operator: { who: 'command line', scopes: OPERATOR_SCOPES } } as unknown as OperationCall;

interface Fields {
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

function adminCommand(operation: AnyOperation): Command {
  const { properties, required = [] } = jsonSchema(operation.input, {
    target: 'draft-2020-12',
    io: 'input',
  }) as unknown as Fields;
  const ownWords = required.filter((name) => name !== 'reason');
  const hasReason = required.includes('reason');
  const options = Object.entries(properties).filter(([name]) => !required.includes(name));
  const notes = ownWords.flatMap((name) => properties[name]!.description ?? []).join(' ');
  return {
    name: operation.name.replace('operator_', 'admin '),
    summary: operation.summary,
    words: [...ownWords.map((name) => `<${name}>`), ...(hasReason ? ['<reason>…'] : [])].join(' '),
    example: [
      'atelier',
      operation.name.replace('operator_', 'admin '),
      ...ownWords.map((word) => EXAMPLES[word] ?? `<${word}>`),
      ...(hasReason ? ['"requested by email"'] : []),
    ].join(' '),
    switches: { ...Object.fromEntries(options.map(switchOf)), ...DATA_SWITCH },
    ...(notes && { notes }),
    run: (typed, world) => act(operation, inputOf(typed, { ownWords, hasReason, properties }), typed, world),
  };
}

function switchOf([name, { description = '', default: fallback, enum: words, items }]: [
  string,
  FieldSchema,
]): [string, Switches[string]] {
  const choices = words ?? items?.enum;
  const meaning = [
    description,
    choices && `One of ${choices.join(', ')}${items ? '; separate several with commas' : ''}.`,
    fallback !== undefined && `Default: ${fallback}.`,
  ];
  return [name.replaceAll('_', '-'), { meaning: meaning.filter(Boolean).join(' '), value: `<${name}>` }];
}

interface Shape {
  readonly ownWords: readonly string[];
  readonly hasReason: boolean;
  readonly properties: Fields['properties'];
}

/** The typed arguments as a request body. */
function inputOf(
  { words, values }: Typed,
  { ownWords, hasReason, properties }: Shape,
): Record<string, unknown> {
  const typed = [
    ...ownWords.map((name, at) => [name, words[at]!] as const),
    ...(hasReason ? [['reason', words.slice(ownWords.length).join(' ')] as const] : []),
    ...Object.keys(properties).flatMap((name) => {
      const value = (values as Record<string, string | undefined>)[name.replaceAll('_', '-')];
      return value === undefined ? [] : [[name, value] as const];
    }),
  ];
  return Object.fromEntries(typed.map(([name, text]) => [name, readText(properties[name]!, text)]));
}

function readText({ type }: FieldSchema, text: string): unknown {
  if (type === 'array') return text.split(',').map((item) => item.trim());
  const isNumber = (type === 'number' || type === 'integer') && text.trim() !== '';
  return isNumber && !Number.isNaN(Number(text)) ? Number(text) : text;
}

async function act(
  operation: AnyOperation,
  raw: Record<string, unknown>,
  { values }: Typed,
  world: World,
): Promise<number> {
  const { stdout, stderr } = world.terminal;
  const { input } = read(operation, raw);
  const { close, ...hand } = await world.openOperator(
    configOf(values as Typed<typeof DATA_SWITCH>['values'], world),
  );
  try {
    const answer = (await operation.run(input, hand as unknown as Services, CALL)) as Record<string, unknown>;
    if (typeof answer.chunks === 'function') {
      for await (const chunk of answer.chunks() as AsyncGenerator<string | Uint8Array>) stdout.write(chunk);
      return 0;
    }
    stdout.write(
      typeof answer.note === 'string' ? `${replaceControls(answer.note)}\n` : resultTable(answer, stdout),
    );
    return 0;
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    stderr.write(`${replaceControls(error.message)}\n`);
    return 1;
  } finally {
    await close();
  }
}

/** @throws UsageError that names the invalid argument */
function read(operation: AnyOperation, raw: Record<string, unknown>): ReturnType<typeof validateInput> {
  try {
    return validateInput(operation.input, raw);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
