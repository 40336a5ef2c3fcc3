import { closest } from '../../../catalog/closest.ts';
import { ownCommand } from '../../../config/config.ts';
import type { Offer, Setup } from '../../../features/models/setup/types.ts';
import { defineCommand } from '../command.ts';
import { megabytes } from '../models.ts';
import { progressView } from '../progress.ts';
import { configOf, DATA_SWITCH } from '../setting_switches.ts';
import { replaceControls, table } from '../terminal.ts';
import { UsageError } from '../usage_error.ts';
import type { World } from '../world.ts';

export const setupCommand = defineCommand({
  name: 'setup',
  summary: 'download optional models and museum data',
  words: '[<name>…]',
  example: 'atelier setup realesrgan_x2plus met',
  switches: {
    yes: { meaning: 'download the named or recommended items without asking' },
    ...DATA_SWITCH,
  },
  notes:
    'Press Ctrl-C to stop; run the same command to continue. Exit code 1: a download failed. A server downloads in the background\nwith MODELS_PULL and MUSEUMS_PULL.',

  async run({ words, values }, world) {
    const config = configOf(values, world);
    let setup: Setup | undefined;
    try {
      setup = await world.openSetup(config);
      // Before the list, which takes longer.
      const unreachable = await setup.unreachable(world.signal);
      if (unreachable !== undefined && !values.yes) world.terminal.stderr.write(`${unreachable}\n`);
      const offers = await setup.offers(world.signal);
      const named = words.flatMap((word) => requireOffers(word, offers));
      const missing = offers.filter(({ isHere }) => !isHere);
      if (!values.yes || missing.length === 0) show(offers, missing, world);
      if (missing.length === 0) return 0;
      if (!values.yes && unreachable !== undefined) return 1;
      const chosen = await choose({ named, missing, isSure: values.yes === true }, world);
      return chosen === undefined || chosen.length === 0 ? 0 : await fetchAll(setup, chosen, world);
    } catch (error) {
      const { name, message } = error as Error;
      if (name !== 'SetupRuns' && name !== 'AtelierError') throw error;
      world.terminal.stderr.write(`${replaceControls(message)}\n`);
      return 1;
    } finally {
      await setup?.close();
    }
  },
});

/** @throws UsageError with the closest name */
function requireOffers(word: string, offers: readonly Offer[]): readonly Offer[] {
  const found = offersNamed(word, offers);
  if (found.length > 0) return found;
  const names = offers.map(({ name }) => name);
  const guess = closest(word, names)[0];
  throw new UsageError(
    `"${word}" is not a model or museum.${guess ? ` Did you mean ${guess}?` : ''} Available: ${names.join(', ')}.`,
  );
}

function show(
  offers: readonly Offer[],
  missing: readonly Offer[],
  { terminal: { stdout } }: Pick<World, 'terminal'>,
): void {
  const here = offers.filter(({ isHere }) => isHere).map(({ name }) => name);
  if (here.length > 0) stdout.write(`Installed: ${here.join(', ')}.\n`);
  if (missing.length === 0) {
    stdout.write('Everything is installed.\n');
    return;
  }
  const rows = missing.map(({ name, brings, licence, isRecommended, ...size }, at) => [
    `${String(at + 1).padStart(2)}${isRecommended ? '*' : ' '}`,
    name,
    sizeOf(size),
    licence,
    brings,
  ]);
  stdout.write(`Missing (* recommended):\n${table(rows, stdout)}`);
}

interface Choice {
  readonly named: readonly Offer[];
  readonly missing: readonly Offer[];
  readonly isSure: boolean;
}

/** The selected downloads. Undefined if the terminal is not interactive; then the command to run is printed. */
async function choose(
  { named, missing, isSure }: Choice,
  { terminal }: World,
): Promise<readonly Offer[] | undefined> {
  const wanted =
    named.length > 0 ? missing.filter((offer) => named.includes(offer)) : chooseOffers('', missing);
  if (isSure) {
    if (wanted.length === 0) terminal.stdout.write('All of these are already installed.\n');
    return wanted;
  }
  if (!terminal.ask) {
    const what = named.length > 0 ? `${wanted.map(({ name }) => name).join(' ')} ` : '';
    terminal.stdout.write(
      `Nothing was downloaded. To download ${sizeText(wanted)}:\n  ${ownCommand(`setup ${what}--yes`, { folder: process.cwd() })}\n`,
    );
    return undefined;
  }
  if (named.length > 0) {
    const isMeant = await terminal.confirm?.(`Download ${sizeText(wanted)}?`);
    return isMeant ? wanted : [];
  }
  for (;;) {
    const typed = await terminal.ask(
      `Download which? Press Enter for the recommended downloads, ${sizeText(wanted)}. Or enter numbers (1,3-5), all or none: `,
    );
    if (typed === undefined) return [];
    try {
      return chooseOffers(typed, missing);
    } catch (error) {
      terminal.stderr.write(`${(error as Error).message}\n`);
    }
  }
}

/** "4.9 MB", "about 318 MB", "5 files". */
const sizeOf = ({
  bytes,
  isEstimate,
  pieces = 'size unknown',
}: Pick<Offer, 'bytes' | 'isEstimate' | 'pieces'>) =>
  bytes === undefined ? pieces : isEstimate ? `about ${Math.round(bytes / 1e6)} MB` : megabytes(bytes);

/** "4 models (330.7 MB) and 6 museums (about 661 MB, and 3 of unknown size)". */
function sizeText(offers: readonly Offer[]): string {
  const kinds = (['network', 'museum'] as const).map((kind) => {
    const some = offers.filter((offer) => offer.kind === kind);
    const known = some.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
    const isEstimate = some.some((offer) => offer.isEstimate);
    const unknown = some.filter(({ bytes }) => bytes === undefined).length;
    const rest = unknown > 0 && `${unknown} of unknown size`;
    const sizes = [known > 0 && sizeOf({ bytes: known, isEstimate }), rest];
    return some.length === 0
      ? ''
      : `${some.length} ${kind === 'network' ? 'model' : kind}${some.length > 1 ? 's' : ''} (${sizes.filter(Boolean).join(', and ')})`;
  });
  return kinds.filter(Boolean).join(' and ');
}

/** Sequential: a failed download does not stop the others. */
async function fetchAll(setup: Setup, chosen: readonly Offer[], world: World): Promise<number> {
  const { stdout, stderr } = world.terminal;
  await setup.requireRoom(chosen);
  await setup.requireConnection(chosen, world.signal);
  const release = setup.hold();
  const done: string[][] = [];
  let failed = 0;
  try {
    for (const [at, offer] of chosen.entries()) {
      if (world.signal.aborted) break;
      const view = progressView(stderr);
      const place = `${offer.name} (${at + 1} of ${chosen.length})`;
      const onProgress = (fraction: number, message: string) => {
        world.report?.(fraction, message);
        view.show(fraction, stderr.isTTY ? `${place} ${message}` : place);
      };
      try {
        const onRetry = (message: string) => {
          view.clear();
          stderr.write(`${offer.name}: ${replaceControls(message)}\n`);
        };
        done.push([offer.name, await setup.fetch(offer, { signal: world.signal, onProgress, onRetry })]);
      } catch (error) {
        if (world.signal.aborted) break;
        failed += 1;
        done.push([offer.name, `NOT DOWNLOADED: ${replaceControls((error as Error).message)}`]);
      } finally {
        view.clear();
      }
    }
  } finally {
    release();
  }
  const left = chosen.length - done.length;
  stdout.write(`\n${done.map(([name, what]) => `${name}: ${what}\n`).join('')}`);
  stdout.write(`${done.length - failed} of ${chosen.length} downloaded.\n`);
  if (left > 0) stdout.write('Stopped. Run the same command to continue.\n');
  else if (failed > 0)
    stdout.write('Run the same command to retry the failed downloads from where they stopped.\n');
  return failed > 0 ? 1 : 0;
}

/**
 * The offers selected by the typed answer: empty for the recommended ones, `all`, `none`, or numbers of the
 * list, ranges and names.
 * @throws UsageError with the part that was not understood
 */
function chooseOffers(typed: string, missing: readonly Offer[]): readonly Offer[] {
  const words = typed.split(/[\s,;]+/).filter(Boolean);
  if (words.length === 0) return missing.filter(({ isRecommended }) => isRecommended);
  const chosen = new Set(words.flatMap((word) => meant(word.toLowerCase(), missing)));
  return missing.filter((offer) => chosen.has(offer));
}

/** The offers of a group, or the offer with that name; empty if there is none. */
function offersNamed(word: string, offers: readonly Offer[]): readonly Offer[] {
  const group = offers.filter((offer) => offer.group === word);
  return group.length > 0 ? group : offers.filter(({ name }) => name === word);
}

function meant(word: string, missing: readonly Offer[]): readonly Offer[] {
  if (word === 'all') return missing;
  if (['none', 'no', 'n', 'q', 'quit'].includes(word)) return [];
  const [, first, last = first] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(word) ?? [];
  const numbered = missing.slice(Number(first) - 1, Number(last));
  if (first !== undefined && Number(first) >= 1 && Number(last) <= missing.length && numbered.length > 0)
    return numbered;
  const named = offersNamed(word, missing);
  if (named.length > 0) return named;
  throw new UsageError(
    `"${word.slice(0, 60)}" is not in the list. Enter numbers from 1 to ${missing.length} (1,3-5), names, all, none, or nothing for the recommended downloads.`,
  );
}
