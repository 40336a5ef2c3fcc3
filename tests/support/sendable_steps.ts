import { simulatedDesk } from '../../src/features/billing/routes/simulated_desk.ts';
import { operations } from '../../src/features/operations.ts';
import { tools as always, optionalTools } from '../../src/features/tools.ts';

const tools = [...always, ...optionalTools];

interface Step {
  /** In responses over MCP, in place of the endpoint. */
  readonly tool?: string;
  readonly endpoint: string;
  readonly params?: Record<string, unknown>;
}

/**
 * Problems of the next steps at any depth of a response: each must name an existing endpoint, with every
 * required field, so that an agent can send it unchanged.
 */
export const unsendableSteps = (answer: unknown): string[] =>
  stepsIn(answer).flatMap((step) => {
    const problem = problemOf(step);
    return problem ? [`${step.tool ?? step.endpoint} ${JSON.stringify(step.params)}: ${problem}`] : [];
  });

/** Including those of nested responses, and the repairs of a preflight report. */
function stepsIn(node: unknown): Step[] {
  if (typeof node !== 'object' || node === null) return [];
  const { action, endpoint, tool } = node as Record<string, unknown>;
  const isStep = typeof action === 'string' && [endpoint, tool].some((name) => typeof name === 'string');
  const own = isStep ? [node as unknown as Step] : [];
  return [...own, ...Object.values(node).flatMap(stepsIn)];
}

function problemOf({
  tool: named,
  endpoint = `POST /api/tools/${named}`,
  params = {},
}: Partial<Step>): string | undefined {
  const [method = '', path = ''] = endpoint.replace(/ https?:\/\/[^/]+/, ' ').split(' ');
  const tool = method === 'POST' && tools.find(({ name }) => path === `/api/tools/${name}`);
  if (tool) return tool.input.safeParse(params).error?.message;
  const found = [...operations, ...simulatedDesk].flatMap((operation) => {
    const inPath = operation.methods.some((one) => one === method) && pathFields(operation.path, path);
    return inPath ? [{ operation, inPath }] : [];
  })[0];
  if (!found) return isDocument(`${method} ${path}`) ? undefined : 'there is no such endpoint';
  return found.operation.input.safeParse({ ...params, ...found.inPath }).error?.message;
}

/** Documents are served by `app.ts` and take no input. */
const isDocument = (endpoint: string): boolean => endpoint.startsWith('GET /.well-known/');

/** The values of parameters such as `{id}`, if the path matches the template. */
function pathFields(template: string, path: string): Record<string, string> | undefined {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const pattern = template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)');
  const values = new RegExp(`^${pattern}$`).exec(path)?.slice(1);
  return values && Object.fromEntries(names.map((name, at) => [name, values[at]!]));
}
