import { z } from 'zod';
import { imageFieldsOf } from '../features/definitions/fields.ts';
import type { AnyTool } from '../features/definitions/tool.ts';
import { ALL_WAYS } from './client_types.ts';
import { envelopeFields, quoteAnswer } from './envelope_schema.ts';
import { type JsonSchema, jsonSchema } from './json_schema.ts';

/** Types and methods of every tool as two Python modules, for the Python client. */
export function pythonModules(tools: readonly AnyTool[]): { types: string; tools: string } {
  return { types: typesModule(tools), tools: toolsModule(tools) };
}

const INPUT = { target: 'draft-2020-12', io: 'input' } as const;
const OUTPUT = { target: 'draft-2020-12', io: 'output' } as const;

function typesModule(tools: readonly AnyTool[]): string {
  const module = new Module();
  const envelope = jsonSchema(z.object(envelopeFields(ALL_WAYS)), OUTPUT);
  module.define('Envelope', envelope, {
    about: 'Fields that every response has in addition to those of its tool.',
  });
  module.define('Quote', jsonSchema(quoteAnswer, OUTPUT), { about: 'Price and estimate of a call.' });
  const carried = new Set(Object.keys(envelope.properties as object));
  for (const tool of tools) {
    const name = classNameOf(tool.name);
    const { async: _, ...properties } = (jsonSchema(tool.input, INPUT).properties ?? {}) as Properties;
    module.define(`${name}Input`, { ...jsonSchema(tool.input, INPUT), properties }, { about: tool.summary });
    module.define(`${name}Answer`, jsonSchema(tool.output, OUTPUT), { base: 'Envelope', without: carried });
  }
  return [
    '"""Request and response types of every tool, for type checkers. Nothing is validated at run time."""',
    '',
    'from __future__ import annotations',
    '',
    'import os',
    'from typing import TYPE_CHECKING, Any, BinaryIO, Dict, List, Literal, Tuple, TypedDict, Union',
    '',
    'if TYPE_CHECKING:',
    '    from typing_extensions import NotRequired',
    '',
    '# Bytes, a path or an open file, which is uploaded; or base64, an https:// URL or a handle, which is sent unchanged.',
    'Picture = Union[str, bytes, "os.PathLike[str]", BinaryIO]',
    '',
    ...module.lines,
  ].join('\n');
}

function toolsModule(tools: readonly AnyTool[]): string {
  const keyed = tools.filter(({ price, effects }) => price.kind !== 'free' || !effects.idempotent);
  const pictures = tools.map((tool) => [tool.name, imageFieldsOf(tool.input.shape)] as const);
  const methods = (isAsync: boolean) =>
    tools.flatMap(({ name, title, summary }) => [
      '',
      `    ${isAsync ? 'async ' : ''}def ${name}(self, *, options: Options | None = None, **fields: Unpack[types.${classNameOf(name)}Input]) -> types.${classNameOf(name)}Answer:`,
      `        ${docstring(`${title}. ${summary}`)}`,
      `        return cast("types.${classNameOf(name)}Answer", ${isAsync ? 'await ' : ''}self.call("${name}", dict(fields), options))`,
    ]);
  return [
    '"""One method per tool."""',
    '',
    'from __future__ import annotations',
    '',
    'from typing import TYPE_CHECKING, Any, Dict, cast',
    '',
    'if TYPE_CHECKING:',
    '    from typing_extensions import Unpack',
    '',
    '    from . import types',
    '    from .transport import Options',
    '',
    '# Tools that cost credits or are not idempotent. The client sends an Idempotency-Key with them, so a retry is the same call.',
    `KEYED_TOOLS = frozenset(${JSON.stringify(keyed.map(({ name }) => name))})`,
    '',
    '# Fields that take an image.',
    'PICTURE_FIELDS: Dict[str, Any] = {',
    ...pictures.map(([name, fields]) => `    "${name}": ${JSON.stringify(fields)},`),
    '}',
    '',
    '',
    'class Tools:',
    '    """Every tool as a blocking method."""',
    '',
    '    def call(self, tool: str, fields: Dict[str, Any], options: Options | None = None) -> Dict[str, Any]:',
    '        """Calls a tool by its name."""',
    '        raise NotImplementedError',
    ...methods(false),
    '',
    '',
    'class AsyncTools:',
    '    """Every tool as a coroutine."""',
    '',
    '    async def call(self, tool: str, fields: Dict[str, Any], options: Options | None = None) -> Dict[str, Any]:',
    '        """Calls a tool by its name."""',
    '        raise NotImplementedError',
    ...methods(true),
    '',
  ].join('\n');
}

type Properties = Readonly<Record<string, JsonSchema>>;

interface Definition {
  readonly about?: string;
  /** Base class, whose fields it inherits. */
  readonly base?: string;
  /** Fields of the base class. */
  readonly without?: ReadonlySet<string>;
}

/** Collects classes in order of their dependencies. */
class Module {
  readonly lines: string[] = [];

  /** A class for an object; a union of classes for a schema with several variants. */
  define(name: string, schema: JsonSchema, definition: Definition = {}): void {
    const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
    if (!options) {
      this.#defineClass(name, schema, definition);
      return;
    }
    const members = options.map((option, index) => {
      this.define(`${name}${index + 1}`, option, definition);
      return `${name}${index + 1}`;
    });
    this.lines.push(`${name} = Union[${members.join(', ')}]`, '', '');
  }

  #defineClass(
    name: string,
    { properties, required }: JsonSchema,
    { about, base, without }: Definition,
  ): void {
    const needed = new Set((required ?? []) as string[]);
    const fields = Object.entries((properties ?? {}) as Properties)
      .filter(([field]) => !without?.has(field))
      .map(([field, schema]) => {
        const type = this.#typeOf(schema, name + classNameOf(field));
        const told = [schema.description, 'default' in schema && `Default: ${literal(schema.default)}.`];
        return {
          field,
          type: needed.has(field) ? type : `NotRequired[${type}]`,
          about: told.filter(Boolean).join(' '),
        };
      });
    if (!fields.every(({ field }) => isIdentifier(field)))
      throw new Error(`${name} has a field that is not a valid Python identifier.`);
    const body = fields.flatMap(({ field, type, about: told }) => [
      `    ${field}: ${type}`,
      ...(told ? [`    ${docstring(told)}`] : []),
    ]);
    const head = about ? [`    ${docstring(about)}`, ''] : [];
    const inside = [...head, ...body];
    this.lines.push(
      `class ${name}(${base ?? 'TypedDict'}):`,
      ...(inside.length > 0 ? inside : ['    pass']),
      '',
      '',
    );
  }

  #typeOf(schema: JsonSchema, name: string): string {
    if (schema.contentMediaType === 'image/*') return 'Picture';
    if ('const' in schema) return choiceOf([schema.const]);
    if (Array.isArray(schema.enum)) return choiceOf(schema.enum);
    const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
    if (options) {
      const types = [...new Set(options.map((option, index) => this.#typeOf(option, `${name}${index + 1}`)))];
      return types.length === 1 ? types[0]! : `Union[${types.join(', ')}]`;
    }
    if (Array.isArray(schema.type))
      return `Union[${schema.type.map((type: unknown) => this.#typeOf({ ...schema, type }, name)).join(', ')}]`;
    if (schema.type === 'array') {
      const { prefixItems, items } = schema as { prefixItems?: JsonSchema[]; items?: JsonSchema };
      if (prefixItems)
        return `Tuple[${prefixItems.map((item, index) => this.#typeOf(item, `${name}${index + 1}`)).join(', ')}]`;
      return `List[${items ? this.#typeOf(items, `${name}Item`) : 'Any'}]`;
    }
    if (schema.type === 'object') return this.#objectOf(schema, name);
    return PLAIN[String(schema.type)] ?? 'Any';
  }

  /** Objects with names that are invalid in Python, and those with arbitrary names, are dictionaries. */
  #objectOf(schema: JsonSchema, name: string): string {
    const fields = Object.keys((schema.properties ?? {}) as object);
    const { additionalProperties: others } = schema;
    if (fields.length > 0 && fields.every(isIdentifier)) {
      this.define(name, schema);
      return name;
    }
    const isTyped = fields.length === 0 && typeof others === 'object' && others !== null;
    return `Dict[str, ${isTyped ? this.#typeOf(others as JsonSchema, `${name}Value`) : 'Any'}]`;
  }
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
};

/** Literal does not accept floats in Python. */
const choiceOf = (values: readonly unknown[]): string =>
  values.some((value) => typeof value === 'number' && !Number.isInteger(value))
    ? 'float'
    : `Literal[${values.map(literal).join(', ')}]`;

function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
const isIdentifier = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.has(name);

/** `resize_image` becomes ResizeImage. */
const classNameOf = (name: string): string =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const docstring = (text: string): string =>
  `"""${text.replace(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '\\"')}"""`;
