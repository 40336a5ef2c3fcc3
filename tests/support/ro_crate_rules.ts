/**
 * Checks a document against the rules of RO-Crate 1.2 for an attached package, and the additional ones of 1.1
 * for the root.
 * Sources: the specification at w3id.org/ro/crate/1.2 (structure, root data entity, data entities, contextual
 * entities, appendix RO-Crate JSON-LD) and at w3id.org/ro/crate/1.1 (root data entity).
 * @returns problems, as text
 */
export function roCrateProblems(crate: Record<string, unknown>): string[] {
  const problems: string[] = [];
  const demand = (holds: unknown, problem: string) => {
    if (!holds) problems.push(problem);
  };
  demand(crate['@context'] === `${VERSION}/context`, '@context is not the one of 1.2, by reference');
  demand(Object.keys(crate).sort().join() === '@context,@graph', 'more than @context and @graph');
  const graph = (Array.isArray(crate['@graph']) ? crate['@graph'] : []) as Entity[];
  const byId = new Map(graph.map((entity) => [entity['@id'], entity]));
  demand(byId.size === graph.length, 'two entities with one @id');
  for (const entity of graph) problems.push(...shapeProblems(entity));

  const descriptor = byId.get(DESCRIPTOR);
  demand(typesOf(descriptor).includes('CreativeWork'), 'no descriptor of type CreativeWork');
  demand(referencesIn(descriptor?.conformsTo).join() === VERSION, 'conformsTo is not the single URI of 1.2');
  const root = byId.get(referencesIn(descriptor?.about)[0] ?? '');
  if (!root) return [...problems, 'about leads to no root'];
  problems.push(...rootProblems(root, byId));
  problems.push(...dataProblems(graph, root, byId));

  const linked = new Set(graph.flatMap((entity) => allReferences(entity)));
  for (const { '@id': id } of graph) {
    demand(id === DESCRIPTOR || linked.has(id), `${id} is linked from nowhere`);
    demand(id === DESCRIPTOR || byId.get(id)?.name, `${id} has no name`);
  }
  for (const id of linked) demand(byId.has(id) || id === VERSION, `${id} is not described`);
  return problems;
}

interface Entity extends Record<string, unknown> {
  readonly '@id': string;
}

const VERSION = 'https://w3id.org/ro/crate/1.2';
const DESCRIPTOR = 'ro-crate-metadata.json';

const typesOf = (entity: Entity | undefined): unknown[] => [entity?.['@type']].flat();
const isReference = (value: unknown): value is { '@id': string } =>
  typeof value === 'object' && value !== null && Object.keys(value).join() === '@id';
const referencesIn = (value: unknown): string[] =>
  [value].flat().flatMap((one) => (isReference(one) ? [one['@id']] : []));
const allReferences = (entity: Entity): string[] => Object.values(entity).flatMap(referencesIn);

/**
 * Flattened and compacted: values are plain or references, lists have several members, terms are defined by
 * the context.
 */
function shapeProblems(entity: Entity): string[] {
  const id = entity['@id'];
  const problems: string[] = [];
  if (typeof id !== 'string' || id === '') return ['an entity without @id'];
  if (/\s|\\|\.\.\//.test(id)) problems.push(`${id} is no URI, or climbs out of the crate`);
  if (typesOf(entity).some((type) => !TYPES.has(String(type))))
    problems.push(`${id}: @type is not of the context`);
  for (const [term, value] of Object.entries(entity)) {
    if (!term.startsWith('@') && !TERMS.has(term)) problems.push(`${id}: ${term} is not of the context`);
    if (Array.isArray(value) && value.length < 2)
      problems.push(`${id}: ${term} is a list of ${value.length}`);
    for (const one of [value].flat())
      if (one === undefined || one === null || (typeof one === 'object' && !isReference(one)))
        problems.push(`${id}: ${term} is nested or empty`);
  }
  return problems;
}

function rootProblems(root: Entity, byId: ReadonlyMap<string, Entity>): string[] {
  const problems: string[] = [];
  const demand = (holds: unknown, problem: string) => {
    if (!holds) problems.push(`root: ${problem}`);
  };
  demand(root['@type'] === 'Dataset', '1.1 wants the one type Dataset');
  demand(root['@id'] === './', '@id is not ./');
  demand(typeof root.name === 'string' && typeof root.description === 'string', 'name or description');
  const date = root.datePublished;
  demand(
    typeof date === 'string' && /^\d{4}-\d\d-\d\d/.test(date) && !Number.isNaN(Date.parse(date)),
    'datePublished',
  );
  const licences = referencesIn(root.license);
  demand(licences.length > 0, 'license is no reference');
  for (const licence of licences)
    demand(byId.get(licence)?.name && byId.get(licence)?.description, `${licence} lacks name or description`);
  const publishers = referencesIn(root.publisher);
  demand(publishers.length === 1 && typesOf(byId.get(publishers[0]!)).includes('Organization'), 'publisher');
  for (const identifier of referencesIn(root.identifier)) {
    const value = byId.get(identifier);
    demand(typesOf(value).includes('PropertyValue') && value?.value, `${identifier} has no value`);
  }
  const cited = root['cite-as'];
  demand(
    cited === undefined || referencesIn(root.identifier).includes(String(cited)),
    'cite-as is no identifier',
  );
  return problems;
}

/** Files and folders are parts of the root, and those of the package have relative names. */
function dataProblems(graph: readonly Entity[], root: Entity, byId: ReadonlyMap<string, Entity>): string[] {
  const problems: string[] = [];
  const parts = new Set<string>();
  const follow = (entity: Entity | undefined): void => {
    for (const id of referencesIn(entity?.hasPart)) {
      if (parts.has(id)) continue;
      parts.add(id);
      follow(byId.get(id));
    }
  };
  follow(root);
  for (const entity of graph) {
    const id = entity['@id'];
    const isData = typesOf(entity).some((type) => type === 'File' || type === 'Dataset');
    if (!isData || entity === root || id.startsWith('#')) continue;
    if (!parts.has(id)) problems.push(`${id} is no part of the root`);
    if (!typesOf(entity).includes('File')) continue;
    for (const term of ['name', 'description', 'encodingFormat'])
      if (!entity[term]) problems.push(`${id} has no ${term}`);
    if (!/^\d+$/.test(String(entity.contentSize))) problems.push(`${id}: contentSize is not in bytes`);
    if (/^https?:/.test(id) && !entity.sdDatePublished) problems.push(`${id} is on the web, without the day`);
    if (entity.contentUrl !== undefined && !URL.canParse(String(entity.contentUrl)))
      problems.push(`${id}: contentUrl`);
  }
  return problems;
}

/** Used terms of the context at w3id.org/ro/crate/1.2/context, which has some two thousand. */
const TERMS = new Set([
  'about',
  'cite-as',
  'conformsTo',
  'contentSize',
  'contentUrl',
  'creator',
  'creditText',
  'datePublished',
  'description',
  'encodingFormat',
  'endTime',
  'hasPart',
  'identifier',
  'instrument',
  'isBasedOn',
  'keywords',
  'license',
  'mentions',
  'name',
  'object',
  'propertyID',
  'publisher',
  'result',
  'sdDatePublished',
  'sha256',
  'url',
  'value',
  'version',
]);
const TYPES = new Set([
  'CreateAction',
  'CreativeWork',
  'Dataset',
  'File',
  'Organization',
  'PropertyValue',
  'SoftwareApplication',
]);
