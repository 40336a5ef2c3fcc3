import { type CompleteResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { PipelineContext } from '../../pipeline/types.ts';
import { choicesOf } from './choices_of.ts';
import { MCP_COMPLETIONS_MAX } from './limits.ts';
import { findPrompt } from './prompts/get_prompt.ts';
import { resourceKinds } from './resources/resource_kinds.ts';

type Reference = { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };
interface Asked {
  readonly ref: Reference;
  readonly argument: { readonly name: string; readonly value: string };
}

/** Values that begin as what has been typed; then those that hold it. @throws ProtocolError for a prompt or template there is not */
export function complete(kit: PipelineContext, { ref, argument }: Asked): CompleteResult {
  const typed = argument.value.toLowerCase();
  const values = valuesFor(kit, ref, argument.name);
  const begin = values.filter((value) => value.toLowerCase().startsWith(typed));
  const hold = values.filter((value) => !begin.includes(value) && value.toLowerCase().includes(typed));
  const found = [...begin, ...hold];
  const shown = found.slice(0, MCP_COMPLETIONS_MAX);
  return { completion: { values: shown, total: found.length, hasMore: found.length > shown.length } };
}

function valuesFor(kit: PipelineContext, ref: Reference, argument: string): readonly string[] {
  if (ref.type === 'ref/prompt') {
    const known = findPrompt(ref.name).arguments.find(({ name }) => name === argument);
    const tool = known?.valuesOf && kit.services.catalogue.find(known.valuesOf[0]);
    return tool && known?.valuesOf ? choicesOf(tool, known.valuesOf[1]) : [];
  }
  const kind = resourceKinds.find(({ template }) => template.uriTemplate === ref.uri);
  if (!kind) {
    const message = `There is no template ${JSON.stringify(ref.uri.slice(0, 200))}: resources/templates/list has them.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
  return kind.values?.(argument, kit) ?? [];
}
