import { AtelierError } from '../core/errors/atelier_error.ts';
import type { CatalogueIndex } from './types.ts';

type Names = Pick<CatalogueIndex, 'similar'> & Partial<Pick<CatalogueIndex, 'absent'>>;

const NEAR_MAX = 3;
const NAME_CHARACTERS_SHOWN_MAX = 100;

/** The error for an unknown tool, for every interface. */
export const unknownTool = (catalogue: Names, name: string): AtelierError =>
  new AtelierError('unknown_tool', noSuchTool(catalogue, name), {
    members: { did_you_mean: nearNames(catalogue, name) },
  });

export function noSuchTool(catalogue: Names, name: string): string {
  const absent = catalogue.absent?.find(({ tool }) => tool.name === name);
  if (absent) return `${name} is not available on this server. ${absent.why}`;
  const near = nearNames(catalogue, name);
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'Call search_tools to see all.';
  return `Unknown tool ${JSON.stringify(name.slice(0, NAME_CHARACTERS_SHOWN_MAX))}. ${hint}`;
}

export const nearNames = (catalogue: Names, name: string): string[] =>
  catalogue.similar(name).slice(0, NEAR_MAX);
