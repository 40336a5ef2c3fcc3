import { AtelierError } from '../errors/atelier_error.ts';
import type { AnyTool, Outlook } from '../tools/tool.ts';
import { type CallKit, deadlinesOf } from './kit.ts';

export interface Lack {
  readonly tool: string;
  /** What is missing and how to get it. */
  readonly reason: string;
}

/**
 * Tools that would answer worse than meant here, because a network or model is missing, found out as a dry run does. One that does
 * some of its work as meant lacks nothing.
 * @param names undefined for all tools
 */
export async function lackingTools(kit: CallKit, names: readonly string[] | undefined): Promise<Lack[]> {
  const asked = kit.services.catalogue.tools.filter(({ name }) => names?.includes(name) ?? true);
  const found = await Promise.all(asked.map((tool) => lackOf(kit, tool)));
  return found.filter((lack) => lack !== undefined);
}

async function lackOf(kit: CallKit, tool: AnyTool): Promise<Lack | undefined> {
  if (!tool.outlook) return undefined;
  const reasons = await Promise.all(usualInputs(tool).map((input) => reasonAgainst(kit, tool, input)));
  const isWhole = reasons.length === 0 || reasons.some((reason) => reason === undefined);
  return isWhole ? undefined : { tool: tool.name, reason: reasons.find((reason) => reason !== undefined)! };
}

/** Its examples, and the first of them with nothing said that need not be. Their pictures stay text and are not looked at. */
function usualInputs({ input, examples }: AnyTool): Record<string, unknown>[] {
  const [first = {}] = examples as Record<string, unknown>[];
  const needed = Object.keys(first).filter((name) => !input.shape[name]?.safeParse(undefined).success);
  const shortest = Object.fromEntries(needed.map((name) => [name, first[name]]));
  return [shortest, ...(examples as Record<string, unknown>[])].flatMap((example) => {
    const { data } = input.safeParse(example);
    return data ? [data as Record<string, unknown>] : [];
  });
}

/** @returns undefined where it would answer as is meant */
export async function reasonAgainst(
  kit: CallKit,
  tool: AnyTool,
  input: Record<string, unknown>,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(kit.deadlineMs);
  const asked = { ...deadlinesOf(kit), address: '', callerKey: '', signal, isGeneral: true };
  try {
    const { degraded, degraded_reason: reason }: Outlook =
      (await tool.outlook?.(input, kit.services, asked)) ?? {};
    return degraded ? (reason ?? `${tool.name} would be degraded.`) : undefined;
  } catch (error) {
    if (error instanceof AtelierError && error.code === 'model_unavailable') return error.message;
    return undefined; // What else is wrong with the input is said by the run.
  }
}
