import { closest } from '../../../catalog/closest.ts';
import { paymentFields } from '../../../catalog/envelope_schema.ts';
import type { CatalogueIndex } from '../../../catalog/types.ts';
import { noSuchTool } from '../../../catalog/unknown_tool.ts';
import { AtelierError, type FieldProblem } from '../../../core/errors/atelier_error.ts';
import type { AnyTool, Step } from '../../definitions/tool.ts';
import { handleField, type Reference, referencesIn } from './references.ts';

type Tools = Pick<CatalogueIndex, 'find' | 'similar'>;

const PROBLEMS_SHOWN_MAX = 10;

/**
 * Validates steps statically: tools, names, and that every reference leads to an input or to a field of an earlier step, so that
 * there are no cycles. Parameters are validated when the tool is called.
 * @param inputs given names; default: every name that no step has is an input
 * @returns names of the inputs that the steps use
 * @throws AtelierError invalid_input with one entry per problem
 */
export function checkSteps(catalogue: Tools, steps: readonly Step[], inputs?: readonly string[]): string[] {
  const earlier = new Map<string, AnyTool | undefined>();
  const asked = new Set<string>();
  const problems: FieldProblem[] = [];
  const names = steps.map(({ save_as }) => save_as);
  for (const [at, step] of steps.entries()) {
    const problem = (field: string, message: string) =>
      problems.push({
        field: `steps.${at}.${field}`,
        code: 'invalid',
        message: `Step ${at + 1}: ${message}`,
      });
    const tool = catalogue.find(step.tool);
    if (!tool) problem('tool', noSuchTool(catalogue, step.tool));
    else if (tool.steps) problem('tool', `${tool.name} cannot be a step: recipes cannot run recipes.`);
    else if (tool.answersSecret)
      problem(
        'tool',
        `${tool.name} cannot be a step: its response can contain a secret. Call it separately.`,
      );
    for (const [field, why] of NOT_OF_A_STEP) {
      if (Object.hasOwn(step.params, field))
        problem('params', `${field} belongs to the call, not to a step: ${why}`);
    }
    for (const reference of referencesIn(step.params)) {
      const { name, text } = reference;
      if (earlier.has(name)) {
        const wrong = wrongField(reference, earlier.get(name));
        if (wrong) problem('params', wrong);
      } else if (names.includes(name)) {
        problem(
          'params',
          `${text} is the result of ${name === step.save_as ? 'this step' : 'a later step'}; a step can only use earlier ones.`,
        );
      } else if (inputs && !inputs.includes(name)) {
        problem('params', unknownReference(reference, [...inputs, ...earlier.keys()]));
      } else asked.add(name);
    }
    if (earlier.has(step.save_as)) problem('save_as', `another step is already called "${step.save_as}".`);
    if (inputs?.includes(step.save_as)) problem('save_as', `an input is already called "${step.save_as}".`);
    earlier.set(step.save_as, tool);
  }
  if (problems.length === 0) return [...asked];
  const shown = problems.slice(0, PROBLEMS_SHOWN_MAX);
  throw new AtelierError('invalid_input', shown.map(({ message }) => message).join(' '), { errors: shown });
}

/** Parameters that apply to all steps. A key must not be saved and shared with a recipe. */
const NOT_OF_A_STEP = [
  ...Object.keys(paymentFields).map(
    (field) => [field, 'one payer pays for all steps, and every user of the recipe would see it.'] as const,
  ),
  ['workspace', 'all steps use the workspace of the call.'] as const,
  ['dry_run', 'a dry run applies to all steps or none.'] as const,
  ['preview', 'a step uses the stored result of an earlier step, and a preview stores nothing.'] as const,
];

/** Why a reference to the result of this tool is invalid. */
function wrongField({ text, name, path: [field] }: Reference, tool: AnyTool | undefined): string | undefined {
  if (!tool) return undefined;
  const fields = Object.keys(tool.output.shape);
  if (field === undefined) {
    if (handleField(tool.output.shape) !== undefined) return undefined;
    return `${text} refers to a file, but ${tool.name} returns none. Name a field of its result: ${fields.map((one) => `$${name}.${one}`).join(', ')}.`;
  }
  if (fields.includes(field)) return undefined;
  const near = closest(field, fields)[0];
  return `${text}: ${tool.name} returns no "${field}".${near ? ` Did you mean $${name}.${near}?` : `  It returns ${fields.join(', ')}.`}`;
}

function unknownReference({ text, name }: Reference, known: readonly string[]): string {
  const near = closest(name, known)[0];
  const hint = near
    ? `Did you mean $${near}?`
    : `Send it in inputs: {"${name}": …}, or write $${text} for the text itself.`;
  return `${text} is neither an input nor an earlier step. ${hint}`;
}
