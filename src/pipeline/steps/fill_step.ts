import { invalidField } from '../../errors/atelier_error.ts';
import { fillIn, handleOf, type Reference, referencesIn, valueAt } from '../../tools/recipes/references.ts';
import type { AnyTool, Course, Step } from '../../tools/tool.ts';

/** Answers of earlier steps of a course, by their names. */
export type Outputs = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

export interface FilledStep {
  readonly params: Record<string, unknown>;
  /** Fields left out of `params`: they wait for an answer that is not there yet. */
  readonly open: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * The parameters of a step with its references replaced, as far as what they stand for is known. Files come as links: bytes of
 * twelve steps inside one answer would help nobody. @throws AtelierError for a reference that leads to nothing
 */
export function fillStep(
  tool: AnyTool,
  { params: sent }: Step,
  { inputs }: Pick<Course, 'inputs'>,
  outputs: Outputs,
): FilledStep {
  const isKnown = ({ name }: Reference) => Object.hasOwn(inputs, name) || outputs.has(name);
  const isOpen = (value: unknown) => !referencesIn(value).every(isKnown);
  const known = Object.entries(sent).filter(([, value]) => !isOpen(value));
  const filled = known.map(([field, value]) => [
    field,
    fillIn(value, (reference) => standsFor(field, reference, { inputs, outputs })),
  ]);
  const asked: Record<string, unknown> = Object.fromEntries(filled);
  const hasOutput = Object.hasOwn(tool.input.shape, 'output');
  return {
    params: { ...asked, ...(hasOutput && { output: 'url' }) },
    open: Object.keys(sent).filter((field) => isOpen(sent[field])),
    warnings:
      hasOutput && asked.output === 'base64'
        ? ['Steps answer links: output "base64" was taken as "url".']
        : [],
  };
}

function standsFor(
  field: string,
  { text, name, path }: Reference,
  { inputs, outputs }: { inputs: Course['inputs']; outputs: Outputs },
): unknown {
  const output = outputs.get(name);
  const value =
    output === undefined
      ? valueAt(inputs[name], path)
      : path.length === 0
        ? handleOf(output)
        : valueAt(output, path);
  if (value !== undefined) return value;
  const where = output === undefined ? `the input ${name}` : `the answer of ${name}`;
  throw invalidField(field, `${text} leads to nothing in ${where}.`);
}
