/**
 * What Croissant 1.0 asks of a card, as far as a card like ours goes: the official validator is a Python program that this suite
 * cannot run. Source: the specification at docs.mlcommons.org/croissant.
 * @param line a line of the file the card describes
 * @returns what is wrong, in words
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
  demand([card.conformsTo].flat().includes('http://mlcommons.org/croissant/1.0'), 'conformsTo');
  demand(/^\d+\.\d+\.\d+$/.test(String(card.version)), 'version');
  demand(!Number.isNaN(Date.parse(String(card.datePublished))), 'datePublished');
  const context = Object(card['@context']);
  const files = (card.distribution ?? []) as Card[];
  demand(files.length > 0, 'distribution is empty');
  for (const file of files) {
    for (const name of ['@id', 'name', 'contentUrl', 'encodingFormat', 'contentSize'])
      demand(file[name], `${name} of a file`);
    demand(file['@type'] === 'cr:FileObject', '@type of a file');
    demand(card.isLiveDataset === true || file.sha256, 'a file that does not change needs its sha256');
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
      demand(
        follow(line, String(Object(source.extract).jsonPath)),
        `${field['@id']}: jsonPath leads nowhere`,
      );
    }
  }
  const terms = [...keysOf({ ...card, '@context': {} })].filter((key) => !key.startsWith('@'));
  for (const term of terms) {
    const [prefix] = term.split(':');
    demand(!term.includes(':') || prefix! in context, `${term} has no prefix in @context`);
  }
  for (const term of ['recordSet', 'field', 'jsonPath', 'isLiveDataset', 'citeAs', 'dataType', 'conformsTo'])
    demand(term in context, `${term} is not in @context`);
  return problems;
}

type Card = Record<string, unknown>;

/** Whether a path such as $.record.artists[*].name leads to something, null and empty lists included. */
function follow(value: unknown, path: string): boolean {
  let at: unknown[] = [value];
  for (const step of path.replace(/^\$\.?/, '').split('.')) {
    const name = step.replace('[*]', '');
    if (at.some((one) => typeof one !== 'object' || one === null || !(name in one))) return false;
    at = at.map((one) => (one as Card)[name]);
    if (step.endsWith('[*]')) {
      if (!at.every(Array.isArray)) return false;
      at = at.flat();
    }
  }
  return true;
}

function* keysOf(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (!Array.isArray(value)) yield key;
    yield* keysOf(member);
  }
}
