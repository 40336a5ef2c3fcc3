/**
 * Checks a card against the rules of Croissant 1.1 that apply to it: the official validator is a Python
 * program that this suite cannot run. Source: the specification at docs.mlcommons.org/croissant.
 * @param line a line of the file that the card describes
 * @returns problems, as text
 */
export function croissantProblems(card: Card, line: unknown): string[] {
  const problems: string[] = [];
  const demand = (holds: unknown, problem: string) => {
    if (!holds) problems.push(problem);
  };
  demand(card['@type'] === 'sc:Dataset', '@type');
  for (const name of ['@context', 'name', 'description', 'url', 'license', 'creator', 'datePublished']) {
    demand(card[name], `${name} is missing`);
  }
  demand([card.conformsTo].flat().includes('http://mlcommons.org/croissant/1.1'), 'conformsTo');
  demand(/^\d+\.\d+\.\d+$/.test(String(card.version)), 'version');
  demand(!Number.isNaN(Date.parse(String(card.datePublished))), 'datePublished');
  const context = Object(card['@context']);
  const files = (card.distribution ?? []) as Card[];
  demand(files.length > 0, 'distribution is empty');
  for (const file of files) {
    for (const name of ['@id', 'name', 'contentUrl', 'encodingFormat', 'contentSize'])
      demand(file[name], `${name} of a file`);
    demand(file['@type'] === 'cr:FileObject', '@type of a file');
    demand(/^[0-9a-f]{64}$/.test(String(file.sha256)), 'sha256 of a file');
    demand(/^\d+ B$/.test(String(file.contentSize)), 'contentSize is not in bytes');
  }
  for (const set of (card.recordSet ?? []) as Card[]) {
    const fields = set.field as Card[];
    const ids = fields.map((field) => String(field['@id']));
    demand(new Set(ids).size === ids.length, 'two fields with one @id');
    demand(ids.includes(String(Object(set.key)['@id'])), 'key is no field');
    for (const field of fields) {
      const source = Object(field.source);
      demand(field['@type'] === 'cr:Field' && field.name, `${field['@id']}: @type or name`);
      demand(String(field['@id']).startsWith(`${set['@id']}/`), `${field['@id']}: @id`);
      demand(
        /^sc:(Text|URL|Integer|Float|Boolean|Date)$/.test(String(field.dataType)),
        `${field['@id']}: dataType`,
      );
      demand(
        files.some((file) => file['@id'] === Object(source.fileObject)['@id']),
        `${field['@id']}: source`,
      );
      // Loaders read JSON Lines as a table: a column is a member of the line itself.
      const value = Object(line)[String(Object(source.extract).column)];
      demand(value !== undefined, `${field['@id']}: the line has no such column`);
      demand(Array.isArray(value) === (field.isArray === true), `${field['@id']}: isArray`);
      demand(value === null || hasType(value, String(field.dataType)), `${field['@id']}: its value`);
    }
  }
  const terms = [...keysOf({ ...card, '@context': {} })].filter((key) => !key.startsWith('@'));
  for (const term of terms) {
    const [prefix] = term.split(':');
    demand(!term.includes(':') || prefix! in context, `${term} has no prefix in @context`);
  }
  for (const term of [
    'recordSet',
    'field',
    'column',
    'isArray',
    'isLiveDataset',
    'citeAs',
    'dataType',
    'conformsTo',
  ])
    demand(term in context, `${term} is not in @context`);
  return problems;
}

type Card = Record<string, unknown>;

/** Whether a value, or every value of a list, has a type of schema.org. */
function hasType(value: unknown, type: string): boolean {
  if (Array.isArray(value)) return value.every((one) => hasType(one, type));
  if (type === 'sc:Integer') return Number.isInteger(value);
  if (type === 'sc:Boolean') return typeof value === 'boolean';
  if (type === 'sc:URL') return URL.canParse(String(value));
  if (type === 'sc:Date') return /^\d{4}-\d\d-\d\d$/.test(String(value));
  return typeof value === 'string';
}

function* keysOf(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (!Array.isArray(value)) yield key;
    yield* keysOf(member);
  }
}
