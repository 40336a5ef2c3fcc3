import type { AiOrigin } from '@atelier/engines/metadata/rights/origin.ts';
import { quoteStranger } from '../provenance/wording.ts';
import type { EvidenceRow, Known, Readings } from './contract.ts';
import { type FoundLayers, findLayers } from './layers.ts';

type Finding = Pick<EvidenceRow, 'status' | 'by' | 'tested'>;

/**
 * The measures of two laws one by one: met or not, by what, found how; every sentence from what was read. Sources: EU code of
 * practice on transparency of AI-generated content (10 June 2026), section 1; California Business and Professions Code,
 * 22757.2 and 22757.3 (SB 942 as amended by AB 853).
 */
export function sheetFor(readings: Readings, known: Known): EvidenceRow[] | undefined {
  const layers = findLayers(readings);
  if (!layers) return undefined;
  const eu = (measure: string, title: string, finding: Finding): EvidenceRow => ({
    ...{ law: 'eu_code_of_practice', measure, title },
    ...finding,
  });
  const california = (measure: string, title: string, finding: Finding): EvidenceRow => ({
    ...{ law: 'california_sb_942', measure, title },
    ...finding,
  });
  const conveyed = '22757.3(b)(1)';
  return [
    eu('1.1', 'Two layers of machine-readable marking', bothLayers(layers)),
    eu('1.1.1', 'Digitally signed, time-stamped metadata', signedMetadata(layers)),
    eu('1.1.2', 'Imperceptible watermark', watermark(layers)),
    eu('1.1.3', 'Fingerprint or log (optional)', fingerprint(known)),
    eu('1.2', 'Marks are not removed', nonRemoval(layers)),
    eu('2', 'Detection free of charge', detection(layers, known)),
    eu('3.4', 'Established standards for metadata', standards(layers)),
    eu('3.4', 'Interoperable watermark detection, due 2 February 2027', interoperability(layers)),
    california('22757.2(a)', 'Free public detection tool', detection(layers, known)),
    california('22757.3(a)', 'Visible disclosure, at the user’s choice', VISIBLE),
    california(conveyed, 'Name of the provider', told(layers, ['provider'])),
    california(conveyed, 'Name and version of the system', told(layers, ['system', 'version'])),
    california(conveyed, 'Time and date', told(layers, ['at'])),
    california(conveyed, 'Unique identifier', told(layers, ['id'])),
    california('22757.3(b)(2)', 'Found by the detection tool', found(layers)),
    california('22757.3(b)(3)', 'Industry standards', standards(layers)),
    california('22757.3(b)(4)', 'Hard to remove', permanence(layers)),
  ];
}

const met = (by: string, tested: string): Finding => ({ status: 'met', by, tested });
const notMet = (by: string, tested: string): Finding => ({ status: 'not_met', by, tested });
const notSaid = (by: string): Finding => ({ status: 'not_said', by, tested: null });

const VISIBLE = notSaid('A label that people see is not looked for.');

function bothLayers(layers: FoundLayers): Finding {
  const parts = [signedMetadata(layers), watermark(layers)];
  const failing =
    parts.find(({ status }) => status === 'not_met') ?? parts.find((one) => one.status !== 'met');
  if (failing) return { ...failing, by: `One layer is missing. ${failing.by}` };
  return met(
    'Signed metadata and a watermark name the machine.',
    'Each was read and checked by itself, as below.',
  );
}

function signedMetadata({ signed, broken, plain: unsigned }: FoundLayers): Finding {
  const checked = 'Signature and hashes were computed anew over this file.';
  if (signed?.at)
    return met(`${signed.by} signs it; by ${signed.clock} it is of ${plain(signed.at)}.`, checked);
  if (signed) return notMet(`${signed.by} signs it, but without a time stamp.`, checked);
  if (broken !== undefined) return notMet(broken, checked);
  return notMet(
    unsigned ? 'The metadata names a machine, but nothing signs it.' : 'No metadata names a machine.',
    'XMP, soulmark and C2PA manifest of this file were read.',
  );
}

/** A time as it is written, without the quotation marks. */
const plain = (at: string): string => quoteStranger(at).slice(1, -1);

function watermark({ mark, shouldBeMarked }: FoundLayers): Finding {
  const tested = 'The pixels of this file were searched, also for turned, cut and mirrored copies.';
  if (mark) {
    const { isLookedUp, falsePositiveProbability: chance, judged } = mark.reading;
    if (judged?.standing === 'moved' || judged?.standing === 'other_payload')
      return notMet(`A watermark names a machine. ${judged.sentence}`, tested);
    const how = isLookedUp ? 'its id, under which the text is kept here' : 'its whole text';
    return met(
      `A watermark names the machine: ${how} was read.`,
      `${tested} Chance of a false reading: below ${10 ** Math.ceil(Math.log10(chance))}.`,
    );
  }
  if (shouldBeMarked)
    return notMet(
      'This service signed that a machine made it, and no watermark that says so can be read.',
      tested,
    );
  return notSaid('No watermark of this service was read; one of another service would not be seen here.');
}

const fingerprint = ({ isRegistered }: Known): Finding =>
  isRegistered
    ? met('Its looks are registered here.', 'Its perceptual hash was compared with the index.')
    : notMet('Its looks are not registered here.', 'Its perceptual hash was compared with the index.');

function nonRemoval(layers: FoundLayers): Finding {
  const { mark, plain, signed, contrary } = layers;
  const tested = 'What the layers say was compared.';
  if (!mark) return notSaid('What was taken out of a file before cannot be read in it.');
  if (contrary !== undefined)
    return notMet(`The watermark names a machine, and the metadata says ${quoteStranger(contrary)}.`, tested);
  if (!plain && !signed)
    return notMet('The watermark names a machine; the metadata that said so is gone.', tested);
  const differing = (Object.keys(NAMES) as Fact[]).filter((fact) => valuesOf(layers, fact).length > 1);
  return differing.length > 0
    ? notMet(
        `Metadata and watermark name another ${differing.map((fact) => NAMES[fact]).join(', ')}.`,
        tested,
      )
    : met('Metadata and watermark are both there and say the same.', tested);
}

function detection(layers: FoundLayers, { detector: { name, isFree } }: Known): Finding {
  const read = [layers.plain || layers.signed ? 'the metadata' : '', layers.mark ? 'the watermark' : ''];
  const tested = `It read ${read.filter(Boolean).join(' and ') || 'a C2PA manifest'} of this file.`;
  return isFree
    ? met(`${name} is free and public, by upload or address, on a page and as an API.`, tested)
    : notMet(`${name} costs credits on this server.`, tested);
}

function standards({ plain, signed, hasManifest }: FoundLayers): Finding {
  const kinds = [
    ...(plain?.sourceType ? ['IPTC Digital Source Type'] : []),
    ...(plain?.system ? ['IPTC 2025.1 AI System Used'] : []),
    ...(hasManifest && signed ? ['C2PA'] : []),
  ];
  const tested = 'The properties were read by the names those standards give them.';
  return kinds.length > 0
    ? met(`${kinds.join(', ')}.`, tested)
    : notMet('No property of IPTC and no valid C2PA manifest names the machine.', tested);
}

const interoperability = ({ mark }: FoundLayers): Finding =>
  mark
    ? notMet('The watermark is of this service’s own kind: no other detector reads it.', 'It was read here.')
    : notSaid('No watermark of this service was read.');

type Fact = Exclude<keyof AiOrigin, 'sourceType'>;
const NAMES: Readonly<Record<Fact, string>> = {
  provider: 'provider',
  system: 'system',
  version: 'version',
  at: 'time',
  id: 'identifier',
};

/** The different values of one fact, with the layers that say so. */
function valuesOf({ plain, signed, mark }: FoundLayers, fact: Fact): [value: string, layers: string[]][] {
  const sources: [string, AiOrigin | undefined][] = [
    ['metadata', plain],
    ['signed metadata', signed?.origin],
    ['watermark', mark?.origin],
  ];
  const said = sources.flatMap(([layer, origin]) => {
    const value = origin?.[fact];
    return value === undefined
      ? []
      : [{ layer, value, key: fact === 'at' ? String(Date.parse(value)) : value }];
  });
  return [...Map.groupBy(said, ({ key }) => key).values()].map((group) => [
    group[0]!.value,
    group.map(({ layer }) => layer),
  ]);
}

function told(layers: FoundLayers, facts: readonly Fact[]): Finding {
  const tested = 'Read in this file and compared between its layers.';
  const values = facts.map((fact) => ({ fact, values: valuesOf(layers, fact) }));
  const missing = values.filter((one) => one.values.length === 0).map(({ fact }) => NAMES[fact]);
  if (missing.length > 0) return notMet(`Nothing names the ${missing.join(' and the ')}.`, tested);
  const sentence = values
    .flatMap((one) => one.values)
    .map(([value, where]) => `${quoteStranger(value)} (${where.join(', ')})`)
    .join(', ');
  return values.some((one) => one.values.length > 1)
    ? notMet(`The layers contradict each other: ${sentence}.`, tested)
    : met(`${sentence}.`, tested);
}

function found({ plain, signed, mark }: FoundLayers): Finding {
  const kinds = [plain || signed ? 'metadata' : '', mark ? 'watermark' : ''].filter(Boolean);
  return kinds.length > 0
    ? met(`Its ${kinds.join(' and ')} ${kinds.length > 1 ? 'were' : 'was'} found.`, 'By reading this file.')
    : notMet('Only a manifest that does not hold names a machine.', 'By reading this file.');
}

function permanence({ mark }: FoundLayers): Finding {
  if (!mark) return notSaid('No watermark of this service was read; metadata alone is easily removed.');
  const attacks = Object.entries(mark.reading.attacks ?? {});
  if (attacks.length === 0)
    return notSaid(
      'The watermark was read in this copy; what more it outlasts was tried when it was embedded.',
    );
  const lost = attacks.filter(([, survival]) => survival === 'lost').map(([name]) => name);
  const tested = `The marked picture was put through ${attacks.map(([name]) => name).join(', ')}, and read after each.`;
  return lost.length > 0
    ? notMet(`The watermark is lost after ${lost.join(', ')}.`, tested)
    : met(`The watermark was read after all ${attacks.length} attacks.`, tested);
}
