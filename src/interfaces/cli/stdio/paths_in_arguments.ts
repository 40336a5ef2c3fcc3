import { PATH_CHARACTERS_MAX, PATHS_MAX } from './limits.ts';
import { imagesIn, isPlainlyPath, type Located, locate, PathRefused, type Roots } from './readable_files.ts';
import type { Params } from './upstream.ts';

/** The parts of a JSON Schema that identify file fields. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly contentMediaType?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

type Keys = readonly (string | number)[];

/** A text of the arguments that may be a path, and its position. */
interface Candidate {
  readonly keys: Keys;
  readonly text: string;
  /** `file`: the field takes a file. `open`: a field of any type, such as an input of a recipe. */
  readonly field: 'file' | 'open';
  /** The field takes a list, so a folder is the list of its images. */
  readonly isList: boolean;
}

/** A path in the arguments. */
export interface PathFound extends Located {
  readonly keys: Keys;
  readonly isList: boolean;
}

/** Handles, URLs and the encodings in which other interfaces send bytes. */
const HANDLE = /^(https?:\/\/|data:|(upload|asset|artwork|result):)/i;
const DEPTH_MAX = 8;

/**
 * Finds the paths in the arguments of a call. A field that takes a file may hold any form of a path,
 * including `photo.jpg`; a field of any type only an existing path that cannot be anything else. Other values
 * stay unchanged.
 * @param schema input schema of the tool; undefined if the server did not send it
 * @throws PathRefused for a path that may not be read or does not exist
 */
export async function findPaths(
  args: Params,
  schema: Schema | undefined,
  roots: Roots,
): Promise<PathFound[]> {
  const candidates: Candidate[] = [];
  collect(args, { schema: schema ?? {}, keys: [], depth: 0 }, candidates);
  const found: PathFound[] = [];
  for (const { text, keys, field, isList } of candidates) {
    const located = await locate(text, roots);
    if (located) found.push({ ...located, keys, isList });
    else if (field === 'file' ? isPlainlyPath(text) : /^file:/i.test(text)) throw missing(text, roots);
  }
  if (found.length > PATHS_MAX)
    throw new PathRefused(`The call names ${found.length} paths. The limit is ${PATHS_MAX}.`);
  return found;
}

/** Whether any text in the arguments may be a path, before the file system is searched. */
export function mayNamePaths(args: Params, schema: Schema | undefined): boolean {
  const candidates: Candidate[] = [];
  collect(args, { schema: schema ?? {}, keys: [], depth: 0 }, candidates);
  return candidates.length > 0;
}

const missing = (text: string, { folders }: Roots): PathRefused =>
  new PathRefused(
    `There is no file ${text.slice(0, 300)}. Use an absolute path. Relative paths are resolved from ${folders[0] ?? process.cwd()}.`,
  );

interface Place {
  readonly schema: Schema | undefined;
  readonly keys: Keys;
  readonly depth: number;
  readonly isInFile?: boolean;
}

function collect(value: unknown, { schema, keys, depth, isInFile = false }: Place, found: Candidate[]): void {
  const isFile = isInFile || takesFile(schema);
  if (typeof value === 'string') {
    if (value.length > PATH_CHARACTERS_MAX || value === '' || HANDLE.test(value)) return;
    const isList = schema?.type === 'array';
    if (isFile) found.push({ keys, text: value, field: 'file', isList });
    else if (isOpen(schema) && isPlainlyPath(value)) found.push({ keys, text: value, field: 'open', isList });
    return;
  }
  if (typeof value !== 'object' || value === null || depth === DEPTH_MAX) return;
  for (const [name, part] of Object.entries(value)) {
    const inner = Array.isArray(value) ? schema?.items : memberOf(schema, name);
    const key = Array.isArray(value) ? Number(name) : name;
    collect(part, { schema: inner, keys: [...keys, key], depth: depth + 1, isInFile: isFile }, found);
  }
}

function memberOf(schema: Schema | undefined, name: string): Schema | undefined {
  if (schema?.properties && Object.hasOwn(schema.properties, name)) return schema.properties[name];
  const { additionalProperties: others } = schema ?? {};
  return typeof others === 'object' ? others : undefined;
}

function takesFile(schema: Schema | undefined): boolean {
  if (schema?.contentMediaType !== undefined) return true;
  return [...(schema?.anyOf ?? []), ...(schema?.oneOf ?? [])].some(takesFile);
}

/** The schema allows neither text nor number nor enum: an alias of a field, or an input of a recipe. */
const isOpen = (schema: Schema | undefined): boolean =>
  schema === undefined || schema.type === 'array' || (schema.type === undefined && schema.enum === undefined);

/** Replaces a path by one handle, or in a list by several. */
export interface Replacement {
  readonly keys: Keys;
  readonly handles: readonly string[];
  readonly isList: boolean;
}

/** Replaces paths in the arguments by handles. */
export function replacePaths(args: Params, replacements: readonly Replacement[]): Params {
  const copy = structuredClone(args);
  // From the end, so that earlier indexes in a list stay valid.
  for (const { keys, handles, isList } of replacements.toReversed()) {
    const last = keys.at(-1)!;
    // biome-ignore lint/suspicious/noExplicitAny: any JSON value, traversed along keys that were found in it
    const holder = keys.slice(0, -1).reduce((value: any, key) => value[key], copy);
    if (Array.isArray(holder)) holder.splice(Number(last), 1, ...handles);
    else holder[last] = isList ? [...handles] : handles[0];
  }
  return copy;
}

/**
 * The files that paths refer to, in the order of the arguments. @throws PathRefused for a folder without
 * images
 */
export const filesOf = async ({ kind, path }: Located): Promise<string[]> =>
  kind === 'folder' ? imagesIn(path) : [path];

/** Whether a folder is in place of a list. */
export const isInList = ({ keys, isList }: PathFound): boolean => isList || typeof keys.at(-1) === 'number';
