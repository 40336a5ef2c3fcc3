import { readFile, stat } from 'node:fs/promises';
import type { Body } from '@atelier/client/transport.ts';
import { runRecipe } from '../../../features/recipes/tools/run_recipe.ts';
import type { Connection } from '../client.ts';
import { defineCommand } from '../command.ts';
import { deliver } from '../deliver.ts';
import { failureText } from '../failure_text.ts';
import { fetchLinkedFile, fileBytes, writeNew } from '../files.ts';
import { fieldsOf, JSON_SWITCH } from '../json_fields.ts';
import { makeFolder, namesFolder, resultDestination } from '../result_destination.ts';
import { SERVER_SWITCHES, WALLET_SWITCH, withConnection } from '../server_switches.ts';
import { UsageError } from '../usage_error.ts';
import { watchCall } from '../watch_call.ts';
import type { World } from '../world.ts';

export const recipeCommand = defineCommand({
  name: 'recipe',
  summary: 'run several tools in one call, from a preset, a saved recipe or a file',
  words: '<name, id or file.json> [<input=value>]…',
  example: 'atelier recipe logo_to_merchandise logo=logo.png --out made/',
  switches: {
    out: { value: '<folder>', meaning: 'folder for the files of the steps' },
    'dry-run': { meaning: 'show the price of each step without running it' },
    async: { meaning: 'run as a background job that continues if you stop this command' },
    ...JSON_SWITCH,
    ...WALLET_SWITCH,
    ...SERVER_SWITCHES,
  },
  notes:
    'A value that is the name of a file sends that file. If an input occurs several times, the recipe runs for each value.',

  async run({ words: [recipe = '', ...inputs], values }, world) {
    const isDry = values['dry-run'] === true;
    if (!isDry && values.out !== undefined && namesFolder(values.out)) await makeFolder(values.out);
    const place = await resultDestination(isDry ? undefined : values.out);
    if (place.kind !== 'unnamed' && place.kind !== 'folder')
      throw new UsageError('--out must be a folder, because each step writes its own file.');
    const input = {
      ...(await recipeIn(recipe)),
      ...(await inputsOf(inputs)),
      ...(isDry && { dry_run: true }),
    };
    const bearer = values.wallet ?? world.settings.wallet;
    const wanted = { bearer, isAsync: values.async === true };
    return withConnection(
      values,
      world,
      async (connection) => {
        const setup = { ...world, connection };
        const { status, body } = await watchCall(setup, runRecipe.name, input, wanted);
        if (status !== 200) {
          world.terminal.stderr.write(failureText(body, { tool: runRecipe.name }));
          return 1;
        }
        const fields = values.json === undefined ? undefined : fieldsOf(values.json, Object.keys(body));
        const isWritten = place.kind === 'folder' || connection.here !== undefined;
        const answer = isWritten
          ? await writeFiles(body, place.kind === 'folder' ? place.path : world.folder, setup)
          : body;
        return deliver(answer, { tool: runRecipe.name, place: { kind: 'unnamed' }, fields }, setup);
      },
      { isDry },
    );
  },
});

/** The steps in a file, or the recipe with that name. */
async function recipeIn(named: string): Promise<Body> {
  if (!named.endsWith('.json')) return { recipe: named };
  const text = await readFile(named, 'utf8').catch(() => {
    throw new UsageError(`There is no file ${named}.`);
  });
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) ? { steps: read } : (read as Body);
  } catch {
    throw new UsageError(`${named} is not JSON.`);
  }
}

/** Parses `photo=a.jpg title=Sun`. The recipe runs for each value of a name that is repeated. */
async function inputsOf(words: readonly string[]): Promise<Body> {
  const given = new Map<string, string[]>();
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) throw new UsageError(`"${word}" is not an input. Write name=value, such as photo=photo.jpg.`);
    const name = word.slice(0, at);
    given.set(name, [...(given.get(name) ?? []), await readValue(word.slice(at + 1))]);
  }
  const entries = [...given];
  const once = entries.filter(([, values]) => values.length === 1).map(([name, [value]]) => [name, value]);
  const each = entries.filter(([, values]) => values.length > 1);
  return {
    ...(once.length > 0 && { inputs: Object.fromEntries(once) }),
    ...(each.length > 0 && { for_each: Object.fromEntries(each) }),
  };
}

async function readValue(text: string): Promise<string> {
  const found = await stat(text).catch(() => undefined);
  return found?.isFile() ? Buffer.from(await fileBytes(text)).toString('base64') : text;
}

interface StepShown {
  readonly save_as: string;
  readonly item?: number;
  readonly answer?: Body;
}

/**
 * Writes one file per step, named after it. Returns the result with file names in place of links that end
 * with this process.
 */
async function writeFiles(
  body: Body,
  folder: string,
  setup: World & { connection: Connection },
): Promise<Body> {
  const steps: StepShown[] = [];
  for (const step of (body.steps ?? []) as StepShown[]) {
    const { save_as: name, item, answer } = step;
    const file = answer && (await fetchLinkedFile(answer, setup));
    const path = file && (await writeNew(folder, file, item === undefined ? name : `${name}-${item + 1}`));
    if (path) setup.terminal.stderr.write(`Wrote ${path} (${file.bytes.byteLength} bytes).\n`);
    steps.push(path && setup.connection.here ? { ...step, answer: { ...answer, result_url: path } } : step);
  }
  return body.steps ? { ...body, steps } : body;
}
