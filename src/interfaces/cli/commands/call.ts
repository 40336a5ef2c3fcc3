import type { Body, Reply } from '@atelier/client/transport.ts';
import { quoteAnswer } from '../../../catalog/envelope_schema.ts';
import type { Config } from '../../../config/config.ts';
import { callEach, folderForAll, manyFiles } from '../call_each.ts';
import { CALL_SWITCHES } from '../call_switches.ts';
import { type Connection, readToolSchema, walletOf } from '../client.ts';
import { defineCommand } from '../command.ts';
import { deliver } from '../deliver.ts';
import { failureText } from '../failure_text.ts';
import { fetchMissing } from '../fetch_missing.ts';
import { withFiles } from '../files.ts';
import { isToken, ownFlag, parseCallFlags } from '../flags.ts';
import { withFormat } from '../format_of_out.ts';
import { commandHelp } from '../help_text.ts';
import { type ToolDescription, toolDescription } from '../input_schema.ts';
import { fieldsOf } from '../json_fields.ts';
import { resultDestination } from '../result_destination.ts';
import { withConnection } from '../server_switches.ts';
import { configOf } from '../setting_switches.ts';
import type { Terminal } from '../terminal.ts';
import { toolHelp } from '../tool_help.ts';
import { UsageError } from '../usage_error.ts';
import { watchCall } from '../watch_call.ts';
import type { World } from '../world.ts';

/** Response of a dry run, for every tool. */
const QUOTE_FIELDS = Object.keys(quoteAnswer.shape);

type Setup = World & {
  readonly connection: Connection;
  /** Settings for a call in this process. */
  ownConfig(): Config;
};

export const callCommand = defineCommand({
  name: 'call',
  summary: 'call a tool with a file, a folder, a pattern, or - for standard input',
  words: '<tool> --flags',
  example: "atelier call resize_image --image 'photos/*.jpg' --width 800 --height 800 --out thumbs/",
  switches: CALL_SWITCHES,
  takesToolFlags: true,
  firstWord: 'tool',
  notes:
    'List the flags of a tool: atelier help <tool>\nA folder, or a quoted pattern, calls the tool for each file; --out is then a folder, and each response is a line of JSON.',

  async help([tool], world) {
    if (tool !== undefined && !tool.startsWith('-'))
      return withConnection({}, world, (connection) => toolHelp(tool, connection, world.terminal));
    world.terminal.stdout.write(commandHelp(callCommand, world.terminal.stdout));
    return 0;
  },

  run({ words: [tool, ...words] }, world) {
    if (tool === undefined || tool.startsWith('-'))
      throw new UsageError('Name a tool: atelier call <tool> --flags. List the tools: atelier tools');
    const values = { url: ownFlag(words, 'url'), 'data-dir': ownFlag(words, 'data-dir') };
    const readConfig = () => configOf({ 'data-dir': values['data-dir'] }, world);
    const isDry = words.some((word) => /^--dry[-_]run(=true)?$/.test(word));
    return withConnection(
      values,
      world,
      (connection) => call(tool, words, { ...world, connection, ownConfig: readConfig }),
      {
        isDry,
      },
    );
  },
});

async function call(tool: string, words: readonly string[], setup: Setup): Promise<number> {
  const { connection, terminal } = setup;
  const described = await readToolSchema(connection, tool);
  if (described.status !== 200) return printFailure(described, { tool }, terminal);

  // All errors of the command line are reported before anything is opened, sent or paid.
  const description = toolDescription(described.body);
  const bearer = ownFlag(words, 'wallet') ?? setup.settings.wallet;
  const flags = parseCallFlags(words, description, bearer);
  const isDry = flags.input.dry_run === true;
  const many = await manyFiles(flags.input, description);
  const folder = many && !isDry ? await folderForAll(flags.out, description) : undefined;
  const place = await resultDestination(isDry || many ? undefined : flags.out);
  const named = withFormat(flags.input, description, flags.out);
  const fieldsThere = isDry ? QUOTE_FIELDS : description.answerFields;
  const fields = flags.json === undefined ? undefined : fieldsOf(flags.json, fieldsThere);
  const input = many ? named : await withFiles(named, description, terminal);

  if (connection.here) {
    if (!isDry) await fetchMissing({ tool, input: flags.input }, setup.ownConfig(), setup);
    terminal.stderr.write(`${connection.here.note}\n`);
  }
  const wallet = await walletField(bearer, description, connection);
  if (many) {
    const batch = { ...many, description, input: { ...input, ...wallet }, out: folder, bearer, fields };
    return callEach(batch, setup);
  }
  const { payer } = flags.input;
  const reply = await watchCall(
    setup,
    tool,
    { ...input, ...wallet },
    {
      // Only the payer may read a job.
      bearer: bearer ?? (typeof payer === 'string' ? payer : undefined),
      isAsync: flags.isAsync,
    },
  );
  if (reply.status !== 200)
    return printFailure(reply, { tool, description, input: { ...named, ...wallet } }, terminal);
  return deliver(reply.body, { tool, place, fields }, setup);
}

/** A token does not reveal its wallet, so for a tool with a wallet field the server is asked. */
async function walletField(
  bearer: string | undefined,
  { fields }: ToolDescription,
  connection: Connection,
): Promise<Body> {
  if (bearer === undefined || !fields.wallet) return {};
  return { wallet: isToken(bearer) ? await walletOf(connection, bearer) : bearer };
}

function printFailure(reply: Reply, sent: Parameters<typeof failureText>[1], { stderr }: Terminal): number {
  stderr.write(failureText(reply.body, sent));
  return 1;
}
