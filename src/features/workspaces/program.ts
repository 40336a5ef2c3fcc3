import { AtelierError, invalidField } from '../../core/errors/atelier_error.ts';
import type { WorkspaceContext } from './context.ts';
import { actNotFound, itemNotFound } from './refusals.ts';
import { selectActDetails, selectBranch, selectChain, selectOrigins } from './store.ts';
import type { Access, ActDetails, Program, ProgramForm, ProgramQuery } from './types.ts';

/** Maximum acts of a program. run_recipe accepts fewer steps. */
const PROGRAM_ACTS_MAX = 200;

interface Origin {
  readonly act: number | null;
  readonly path: string | null;
}

type StoredAct = ActDetails<number>;
type Step = Program['steps'][number];

/**
 * The acts that lead to an item, an act or the head of a branch, as steps that run on other images.
 * @see Workspaces.program
 */
export async function programOf(
  context: WorkspaceContext,
  access: Access,
  query: ProgramQuery,
): Promise<Program> {
  const { database, links } = context;
  const origins = new Map<number, Origin>(
    (await selectOrigins(database, access.id)).map(({ item, ...origin }) => [item, origin]),
  );
  const acts = await actsFor(context, access, query, origins);
  if (query.on !== undefined && !origins.has(query.on)) throw itemNotFound(query.on);
  const { steps, inputs } = stepsOf(acts, origins);
  const [first] = Object.keys(inputs);
  if (query.on !== undefined && first !== undefined) inputs[first] = `item:${query.on}`;
  const program = PRINTED[query.as]({ steps, inputs, url: links.publicUrl, workspace: access.text });
  return { steps, inputs, program };
}

async function actsFor(
  { database }: WorkspaceContext,
  { id }: Access,
  { item, act, branch }: ProgramQuery,
  origins: ReadonlyMap<number, Origin>,
): Promise<StoredAct[]> {
  const asked = [item, act, branch].filter((one) => one !== undefined);
  if (asked.length !== 1) throw invalidField('item', 'Send exactly one of item, act and branch.');
  const read = (numbers: readonly number[]) => selectActDetails(database, id, numbers);
  if (branch !== undefined) {
    const found = await selectBranch(database, id, branch);
    if (!found)
      throw new AtelierError('item_not_found', `The workspace has no branch "${branch.slice(0, 60)}".`);
    return requireSteps(await read(await selectChain(database, id, found.head)));
  }
  const start = act ?? requireMade(origins, item!);
  const needed = new Map<number, StoredAct>();
  let open = [start];
  // Ends, because acts only use items of earlier acts.
  while (open.length > 0 && needed.size <= PROGRAM_ACTS_MAX) {
    for (const one of await read(open)) needed.set(one.act, one);
    if (!needed.has(start)) throw actNotFound(start);
    const before = [...needed.values()].flatMap(({ inputs }) =>
      inputs.map((input) => origins.get(input)?.act),
    );
    open = [...new Set(before)].filter((one): one is number => typeof one === 'number' && !needed.has(one));
  }
  return requireSteps([...needed.values()].sort((a, b) => a.act - b.act));
}

function requireMade(origins: ReadonlyMap<number, Origin>, item: number): number {
  const origin = origins.get(item);
  if (!origin) throw itemNotFound(item);
  if (origin.act === null)
    throw invalidField('item', `Item ${item} was added, not made by a call, so there is nothing to repeat.`);
  return origin.act;
}

/** @throws AtelierError invalid_input where an act cannot be repeated */
function requireSteps(acts: readonly StoredAct[]): StoredAct[] {
  if (acts.length === 0)
    throw invalidField('branch', 'No act leads to this point, so there is nothing to repeat.');
  if (acts.length > PROGRAM_ACTS_MAX)
    throw invalidField(
      'item',
      `More than ${PROGRAM_ACTS_MAX} acts lead to this point. Send a later act in act.`,
    );
  const lacking = acts.find(({ input, state }) => input === null || state !== 'done');
  if (lacking)
    throw invalidField(
      'item',
      lacking.state === 'done'
        ? `The input of act ${lacking.act} was too long to store, so it cannot be repeated.`
        : `Act ${lacking.act} is ${lacking.state}, so it cannot be repeated.`,
    );
  return [...acts];
}

const ITEM = /^item:(\d{1,6})$/;

/** Steps of a recipe. Added images become inputs; images made by an earlier step become references to it. */
function stepsOf(acts: readonly StoredAct[], origins: ReadonlyMap<number, Origin>) {
  const names = new Map(acts.map(({ act }, at) => [act, `step${at + 1}`]));
  const inputs: Record<string, string> = {};
  const inputNames = new Map<number, string>();
  const reference = (item: number): string => {
    const { act, path } = origins.get(item) ?? { act: null, path: null };
    const step = act === null ? undefined : names.get(act);
    if (step !== undefined && path !== null) return path === 'result' ? `$${step}` : `$${step}.${path}`;
    const name = inputNames.get(item) ?? (inputNames.size === 0 ? 'image' : `image${inputNames.size + 1}`);
    inputNames.set(item, name);
    inputs[name] = `item:${item}`;
    return `$${name}`;
  };
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const [, item] = ITEM.exec(value) ?? [];
      if (item !== undefined) return reference(Number(item));
      return value.startsWith('$') ? `$${value}` : value;
    }
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fill(member)]));
  };
  const steps: Step[] = acts.map(({ tool, act, input }) => ({
    tool,
    params: fill(input) as Record<string, unknown>,
    save_as: names.get(act)!,
  }));
  return { steps, inputs };
}

interface Printing {
  readonly steps: readonly Step[];
  readonly inputs: Readonly<Record<string, string>>;
  readonly url: string;
  /** Id or share link of the workspace. */
  readonly workspace: string;
}

const PRINTED: Record<ProgramForm, (printing: Printing) => string> = {
  recipe: ({ steps, inputs }) => JSON.stringify({ steps, inputs }, null, 2),
  curl: asShell,
  mcp: asMcp,
  typescript: asTypeScript,
  python: asPython,
};

/** A parameter that refers to a value in an earlier response. */
const REFERENCE = /^\$([A-Za-z]\w*)((?:\.\w+)*)$/;

/** A value known only at run time: a field of a step, or an image of the client. */
interface Known {
  readonly name: string;
  readonly path: readonly string[];
}

function knownIn(text: string, { inputs }: Printing): Known | undefined {
  const [, name, path] = REFERENCE.exec(text) ?? [];
  if (name === undefined) return undefined;
  const fields = path!.split('.').slice(1);
  return { name, path: fields.length === 0 && !(name in inputs) ? ['result'] : fields };
}

/** Literal texts of a recipe escape a `$` at their beginning. */
const literal = (text: string): string => (text.startsWith('$$') ? text.slice(1) : text);

/** Quotes a shell word. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Shell script with curl; jq inserts values of earlier responses. */
function asShell(printing: Printing): string {
  const { steps, inputs, url, workspace } = printing;
  const names = Object.keys(inputs);
  const lines = [
    '#!/bin/sh',
    '# Needs curl and jq. ATELIER_KEY: a key (atl_key_…) or the address of an unlocked wallet, for paid calls.',
    'set -e',
    ...names.map((name) => `${name}=${quoted(inputs[name]!)}`),
  ];
  for (const { tool, params, save_as: step } of steps) {
    const used = new Set<string>();
    const body = jqOf(
      { ...params, workspace },
      (known) => {
        used.add(known.name);
        return `$${known.name}${known.path.map(jqField).join('')}`;
      },
      printing,
    );
    const args = [...used].map((name) =>
      name in inputs ? `--arg ${name} "$${name}"` : `--argjson ${name} "$${name}"`,
    );
    lines.push(
      `${step}=$(jq -n ${args.join(' ')}${args.length > 0 ? ' ' : ''}${quoted(body)} |`,
      `  curl -fsS ${url}/api/tools/${tool} -H "Authorization: Bearer $ATELIER_KEY" -H 'Content-Type: application/json' -d @- |`,
      `  jq -ec ${WITHOUT_FILES})`,
    );
  }
  // echo interprets backslashes in some shells.
  lines.push(`printf '%s\\n' "$${steps.at(-1)!.save_as}"`);
  return lines.join('\n');
}

/** Removes files from a response: they exceed the maximum length of an argument. The next step uses the link. */
const WITHOUT_FILES = quoted('del(.. | strings | select(length > 9999))');

const jqField = (field: string): string => (/^\d+$/.test(field) ? `[${field}]` : `.${field}`);

/** JSON with expressions in place of references. */
function jqOf(value: unknown, show: (known: Known) => string, printing: Printing): string {
  if (typeof value === 'string') {
    const known = knownIn(value, printing);
    return known ? show(known) : JSON.stringify(literal(value));
  }
  if (Array.isArray(value)) return `[${value.map((member) => jqOf(member, show, printing)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${jqOf(member, show, printing)}`,
  );
  return `{${members.join(', ')}}`;
}

/** Calls to send in sequence; `<…>` is a value from an earlier response. */
function asMcp(printing: Printing): string {
  const { steps, inputs, workspace } = printing;
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const known = knownIn(value, printing);
      if (!known) return literal(value);
      if (known.name in inputs) return inputs[known.name];
      return `<${known.path.join('.')} of ${known.name}>`;
    }
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fill(member)]));
  };
  const calls = steps.map(({ tool, params, save_as: step }, at) => ({
    jsonrpc: '2.0',
    id: step,
    method: 'tools/call',
    params: { name: tool, arguments: { ...(fill(params) as object), workspace } },
    at,
  }));
  return JSON.stringify(
    calls.map(({ at: _, ...call }) => call),
    null,
    2,
  );
}

/** `step1.result`, `step1.variants[2].result` */
const member = ({ name, path }: Known, inPython: boolean): string =>
  name +
  path
    .map((field) => {
      if (/^\d+$/.test(field)) return `[${field}]`;
      return inPython ? `["${field}"]` : `.${field}`;
    })
    .join('');

function asTypeScript(printing: Printing): string {
  const { steps, inputs, url, workspace } = printing;
  return [
    `import { env } from 'node:process';`,
    `import { createClient } from '@atelier/client';`,
    '',
    `const atelier = createClient({ url: ${JSON.stringify(url)}, bearer: env.ATELIER_KEY });`,
    ...Object.entries(inputs).map(([name, item]) => `const ${name} = ${JSON.stringify(item)};`),
    ...steps.map(({ tool, params, save_as: step }) => {
      const body = codeOf({ ...params, workspace }, printing, { inPython: false });
      return `const ${step} = await atelier.${tool}(${body});`;
    }),
    `console.log(${steps.at(-1)!.save_as});`,
  ].join('\n');
}

/** Python with the standard library only. */
function asPython(printing: Printing): string {
  const { steps, inputs, url, workspace } = printing;
  return [
    'import json, os, urllib.request',
    '',
    'def call(tool, params):',
    '    request = urllib.request.Request(',
    `        ${JSON.stringify(`${url}/api/tools/`)} + tool, json.dumps(params).encode(),`,
    '        {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ.get("ATELIER_KEY", "")})',
    '    return json.load(urllib.request.urlopen(request))',
    '',
    ...Object.entries(inputs).map(([name, item]) => `${name} = ${JSON.stringify(item)}`),
    ...steps.map(({ tool, params, save_as: step }) => {
      const body = codeOf({ ...params, workspace }, printing, { inPython: true });
      return `${step} = call("${tool}", ${body})`;
    }),
    `print(json.dumps(${steps.at(-1)!.save_as}, indent=2))`,
  ].join('\n');
}

/** A value as a literal of the language, with variables in place of references. */
function codeOf(value: unknown, printing: Printing, { inPython }: { inPython: boolean }): string {
  if (typeof value === 'string') {
    const known = knownIn(value, printing);
    return known ? member(known, inPython) : JSON.stringify(literal(value));
  }
  if (Array.isArray(value)) return `[${value.map((one) => codeOf(one, printing, { inPython })).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, one]) => `${JSON.stringify(name)}: ${codeOf(one, printing, { inPython })}`,
    );
    return `{${members.join(', ')}}`;
  }
  if (inPython && typeof value === 'boolean') return value ? 'True' : 'False';
  return inPython && value === null ? 'None' : JSON.stringify(value);
}
