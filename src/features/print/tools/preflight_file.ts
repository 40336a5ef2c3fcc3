import type { PreflightReport } from '@atelier/imaging/preflight/types.ts';
import { z } from 'zod';
import { UPLOAD_BYTES_MAX } from '../../../config/limits.ts';
import type { PreflightAnswer } from '../../../core/workers/run_preflight.ts';
import { briefly } from '../../definitions/brief.ts';
import { engineAnswer, fileAnswer, imageAnswer } from '../../definitions/fields.ts';
import { handleIn } from '../../definitions/images_in.ts';
import { linkAnswer } from '../../definitions/passthrough_answer.ts';
import { FREE } from '../../definitions/price.ts';
import { withAliases } from '../../definitions/spellings.ts';
import { type CallContext, defineTool } from '../../definitions/tool.ts';
import { PREFLIGHT_PIXELS, SHEET_SIDE_MM_MAX, SHEET_SIDE_MM_MIN } from '../../definitions/tool_limits.ts';
import type { Services } from '../../services.ts';
import { inkLimitAnswer, inkLimitOf } from './ink_limit_answer.ts';
import { DEFAULT_PRESS } from './press_fields.ts';

/** Example with faults: a PDF card of one RGB area without bleed, 452 bytes. */
const EXAMPLE_PDF_B64 =
  'JVBERi0xLjQKMSAwIG9iago8PC9UeXBlL0NhdGFsb2cvUGFnZXMgMiAwIFI+PgplbmRvYmoKMiAwIG9iago8PC9UeXBlL1BhZ2VzL0tpZHNbMyAwIFJdL0NvdW50IDE+PgplbmRvYmoKMyAwIG9iago8PC9UeXBlL1BhZ2UvUGFyZW50IDIgMCBSL01lZGlhQm94WzAgMCAyNjEgMTYyXS9UcmltQm94WzMgMyAyNTggMTU5XS9Db250ZW50cyA0IDAgUi9SZXNvdXJjZXM8PD4+Pj4KZW5kb2JqCjQgMCBvYmoKPDwvTGVuZ3RoIDI1Pj5zdHJlYW0KMSAwIDAgcmcgMyAzIDI1NSAxNTYgcmUgZgplbmRzdHJlYW0KZW5kb2JqCnhyZWYKMCA1CjAwMDAwMDAwMDAgNjU1MzUgZiAKMDAwMDAwMDAwOSAwMDAwMCBuIAowMDAwMDAwMDU0IDAwMDAwIG4gCjAwMDAwMDAxMDUgMDAwMDAgbiAKMDAwMDAwMDIyMCAwMDAwMCBuIAp0cmFpbGVyCjw8L1NpemUgNS9Sb290IDEgMCBSPj4Kc3RhcnR4cmVmCjI5MgolJUVPRgo=';

/** Findings in the summary. */
const GRAVEST_MAX = 3;
const count = z.int().min(0);
const mm = z.number();
const standard = z.enum(['pdfx1a', 'pdfx3', 'pdfx4', 'none']);

const finding = z.object({
  rule: z.string().describe('Name of the rule; it never changes its meaning.'),
  severity: z.enum(['error', 'warning', 'info']).describe('error: will not print as meant. warning: may.'),
  page: z.int().min(1).optional(),
  object: z.string().optional().describe('As the file names it: "image Im1 (object 12)".'),
  box_mm: z
    .object({ left: mm, top: mm, width: mm, height: mm })
    .optional()
    .describe('From the upper left corner of the page.'),
  mark: z.int().min(1).optional().describe('Its number in the drawing of its page.'),
  message: z.string(),
  remedy: z.string(),
});

const gravestField = z
  .array(
    finding.pick({ rule: true, severity: true, message: true, remedy: true }).extend({
      places: count.describe('Findings of this rule among those listed.'),
      mend: z
        .object({ tool: z.string(), params: z.record(z.string(), z.unknown()), why: z.string() })
        .optional()
        .describe('Absent: only the program that made it mends it.'),
    }),
  )
  .max(GRAVEST_MAX)
  .describe('One for each of the worst rules.');
type Gravest = z.output<typeof gravestField>;

const verdictField = z.enum(['pass', 'warn', 'fail']);
const countsField = z.object({ error: count, warning: count, info: count });

/** Maximum ink; 0 without ink colours. */
const mostInk = z.number().min(0);
const repairedField = z
  .object({
    file: z
      .object({ ...fileAnswer })
      .optional()
      .describe('The repaired file. Absent: nothing could be repaired.'),
    changes: z.array(z.string()).describe('What was done.'),
    left: z.array(z.string()).describe('What was not, and what to do instead.'),
    before: countsField.extend({ verdict: verdictField }),
    after: countsField.extend({ verdict: verdictField, most_ink_percent: mostInk }).optional(),
    remaining: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe('As findings, of the repaired file.'),
  })
  .optional()
  .describe('With fix.');

export const preflightFile = defineTool({
  name: 'preflight_file',
  title: 'Check a print file',
  category: 'creative',
  toolset: 'print',
  summary:
    'Check a PDF (X-1a, X-3, X-4) or TIFF made elsewhere before printing: each fault with place and remedy, in drawings; fix repairs it.',
  instead: { print_ready: 'to make a sheet' },
  words:
    'preflight a pdf, check my pdf for print, is this pdf ready for the printer, validate pdf/x, pdf/x-4 conformance, pdfx validator, press check, fonts embedded, rgb in pdf, missing bleed in a pdf, trim box, overprint, total ink, tac, output intent, prepress check, tiff from another program, existing file, my designer sent, indesign export, canva pdf, faults, errors, acrobat preflight, pitstop, repair a pdf for print, fix rgb and bleed in a pdf, convert a pdf to cmyk',
  price: FREE,
  input: z.object({
    file: withAliases(
      briefly(
        z
          .string()
          .min(1, 'must not be empty')
          .meta({ contentMediaType: 'application/octet-stream' })
          .describe('PDF or TIFF: URL, upload:<id>, asset:<key>, result:<id> or base64.'),
        'PDF or TIFF: URL, handle or base64.',
      ),
      ...['pdf', 'tiff', 'document', 'data', 'url', 'file_url', 'file_b64', 'image', 'input', 'handle'],
    ),
    standard: withAliases(
      briefly(
        z
          .enum(['claimed', ...standard.options])
          .default('claimed')
          .describe('claimed: as the file says.'),
        '',
      ),
      ...['profile', 'conformance', 'pdfx', 'judge_as'],
    ),
    fix: withAliases(
      briefly(
        z
          .boolean()
          .default(false)
          .describe(
            'Repairs it as well: RGB to the inks of its printing condition, ink to its limit; of a PDF fonts, boxes, bleed, output intent, no scripts and links, vectors live; of a TIFF transparency, layers, resolution.',
          )
          .meta({ title: 'Repair it' }),
        '',
      ),
      ...['repair', 'mend', 'correct', 'autofix'],
    ),
    outlines: withAliases(
      briefly(
        z
          .boolean()
          .default(false)
          .describe('With fix: text of a PDF becomes outlines, for printers that take no fonts.')
          .meta({ title: 'Text to outlines' }),
        '',
      ),
      ...['outline_text', 'outline_fonts', 'text_to_outlines', 'convert_text_to_outlines'],
    ),
  }),
  output: z.object({
    verdict: verdictField.describe(
      'fail: an error. warn: no error, but a warning. Judged by looked_at.judged_by.',
    ),
    summary: z.string().describe('Verdict, and what to mend first.'),
    gravest: gravestField,
    passes: z.boolean().describe('No finding is an error.'),
    looked_at: z
      .object({
        kind: z.enum(['pdf', 'tiff']),
        version: z.string(),
        claimed: z.string().nullable().describe('As the file says.'),
        judged_by: standard.describe('none: only what is good for any printer.'),
        rules: count,
        pages: count,
        pages_read: count,
        trim_mm: z.object({ width: mm, height: mm }).nullable().describe('Of the first page.'),
        inks: z.array(z.string()).describe('Spot colours.'),
        ink_limit: inkLimitAnswer,
        most_ink_percent: mostInk.describe('In one place.'),
      })
      .describe('How far it was looked at.'),
    counts: z.object({
      error: count,
      warning: count,
      info: count,
      untold: count.describe('Left out of findings: of each rule the first are listed.'),
    }),
    findings: z.array(finding).describe('The worst first.'),
    drawings: z
      .array(
        z.object({
          page: z.int().min(1),
          width: imageAnswer.width,
          height: imageAnswer.height,
          ...fileAnswer,
        }),
      )
      .describe('First pages with faults, with marks, as PNG.'),
    repaired: repairedField,
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{ file: EXAMPLE_PDF_B64 }, { file: EXAMPLE_PDF_B64, standard: 'pdfx4' }],
  next: ({ gravest }, { file }) => {
    if (handleIn(file) === undefined) return [];
    const calls = gravest.flatMap(({ mend }) => (mend ? [mend] : []));
    const tools = [...new Set(calls.map(({ tool }) => tool))];
    return tools.map((tool) => ({ action: MENDING[tool]!, ...calls.find((call) => call.tool === tool)! }));
  },
  async run(
    { file, standard: judgedBy, fix, outlines },
    {
      images,
      pixels,
      results,
      pressProfiles,
    }: Pick<Services, 'images' | 'pixels' | 'results' | 'pressProfiles'>,
    call,
  ) {
    const press = fix ? await pressProfiles.find(DEFAULT_PRESS, 'fix') : undefined;
    const bytes = await images.read(file, 'file', senderOf(call), UPLOAD_BYTES_MAX);
    const { drawings, repair, ...report } = await pixels.run(
      'preflight',
      { bytes, standard: judgedBy, repairFor: press, hasOutlines: outlines },
      { pixels: PREFLIGHT_PIXELS, ...call },
    );
    const kept = [];
    for (const { page, bytes: png, width, height } of drawings) {
      const file = await results.keep(png, 'image/png');
      kept.push({
        page,
        width,
        height,
        content_type: 'image/png',
        size_bytes: png.length,
        ...linkAnswer(file),
      });
    }
    const remaining = new Set(repair?.after?.findings.map(({ rule }) => rule));
    const gravest = gravestOf(report, { file, fix, remaining });
    const verdict = verdictOf(report);
    return {
      verdict,
      summary: [summaryOf(verdict, report, gravest), ...(repair ? [repairedText(repair)] : [])].join(' '),
      gravest,
      passes: report.counts.error === 0,
      looked_at: {
        kind: report.kind,
        version: report.version,
        claimed: report.claimed,
        judged_by: report.standard,
        rules: report.rulesRun,
        pages: report.pages,
        pages_read: report.pagesRead,
        trim_mm: report.trimMm,
        inks: [...report.inks],
        ink_limit: inkLimitOf(report.ink.limit),
        most_ink_percent: report.ink.mostPercent ?? 0,
      },
      counts: { ...report.counts, untold: report.omitted },
      findings: [...report.findings],
      drawings: kept,
      ...(repair && { repaired: await repairedAnswer(results, report, repair) }),
      engine: report.engine,
      degraded: false,
    };
  },
});

type Repair = NonNullable<PreflightAnswer['repair']>;

async function repairedAnswer(
  results: Pick<Services['results'], 'keep'>,
  report: Report,
  { bytes, changes, left, after }: Repair,
): Promise<z.output<typeof repairedField>> {
  const type = report.kind === 'pdf' ? PDF : TIFF;
  const file = bytes && (await results.keep(bytes, type));
  return {
    ...(file && { file: { content_type: type, size_bytes: bytes.length, ...linkAnswer(file) } }),
    changes: [...changes],
    left: [...left],
    before: { ...report.counts, verdict: verdictOf(report) },
    ...(after && {
      after: { ...after.counts, verdict: verdictOf(after), most_ink_percent: after.ink.mostPercent ?? 0 },
      remaining: after.findings.map((one) => ({ ...one })),
    }),
  };
}

/** Summary of a repair, as a sentence. */
function repairedText({ after, left }: Repair): string {
  if (!after) return `It was not repaired: ${left[0] ?? 'nothing in it needs it.'}`;
  const { error, warning } = after.counts;
  return `The repaired file has ${error} ${error === 1 ? 'error' : 'errors'} and ${warning} ${warning === 1 ? 'warning' : 'warnings'}.`;
}

const PDF = 'application/pdf';
const TIFF = 'image/tiff';

const senderOf = ({ wallet, signal }: CallContext) => ({ signal, ...(wallet !== undefined && { wallet }) });

/** Purpose of a suggested call, by tool. */
const MENDING: Readonly<Record<string, string>> = {
  preflight_file: 'Repair it',
  print_ready: 'Make the sheet anew',
  upscale_image: 'Enlarge it',
};

const ENLARGED = new Set(['tiff_below_150_dpi', 'tiff_below_225_dpi']);
/** Faults that `fix` repairs. */
const REPAIRED = new Set([
  'rgb_without_profile',
  'rgb_in_x1a',
  'profile_in_x1a',
  'output_intent_missing',
  'output_intents_many',
  'output_profile_missing',
  'output_profile_wrong',
  'trim_box_missing',
  'trim_and_art_box',
  'boxes_not_nested',
  'crop_box_cuts',
  'bleed_too_small',
  'bleed_not_filled',
  'group_in_rgb',
  'javascript',
  'opening_action',
  'script_action',
  'embedded_files',
  'structure_broken',
  'id_missing',
  'total_ink',
  'much_ink',
  'image_total_ink',
  'image_much_ink',
  'font_not_embedded',
  'font_empty',
  'tiff_rgb',
  'tiff_other_colors',
  'tiff_profile_missing',
  'tiff_profile_wrong',
  'tiff_resolution_missing',
  'tiff_alpha',
  'tiff_layers',
  'tiff_planar',
  'tiff_16_bit',
  'tiff_compression',
  'tiff_big',
  'tiff_turned',
  'tiff_total_ink',
  'tiff_much_ink',
]);
/** Faults of a PDF that rasterising its page repairs. */
const DRAWN = new Set([
  'font_not_embedded',
  'font_missing',
  'transparency',
  'transparency_group',
  'layers',
  'form_fields',
  'annotations',
]);

type Report = Omit<PreflightReport, 'drawings'>;

interface Asked {
  readonly file: string;
  readonly fix: boolean;
  /** Rules that the repaired file still breaks. */
  readonly remaining: ReadonlySet<string>;
}

function gravestOf(report: Report, asked: Asked): Gravest {
  const grave = report.findings.filter(({ severity }) => severity !== 'info');
  const rules = [...new Set(grave.map(({ rule }) => rule))].slice(0, GRAVEST_MAX);
  return rules.map((rule) => {
    const found = grave.filter((one) => one.rule === rule);
    const { severity, message, remedy } = found[0]!;
    const mend = mendOf(rule, report, asked);
    return { rule, severity, message, remedy, places: found.length, ...(mend && { mend }) };
  });
}

function mendOf(
  rule: string,
  { kind, pages, trimMm, findings }: Report,
  { file, fix, remaining }: Asked,
): Gravest[number]['mend'] {
  const image = handleIn(file) ?? '<the same file>';
  if (REPAIRED.has(rule) && !(remaining.has(rule) && DRAWN.has(rule)))
    return fix
      ? undefined
      : {
          tool: 'preflight_file',
          params: { file: image, fix: true },
          why: kind === 'pdf' ? 'Text and vectors stay live' : 'Every pixel stays in its place',
        };
  if (ENLARGED.has(rule))
    return { tool: 'upscale_image', params: { image }, why: 'Gives it more pixels for the same size' };
  if (kind !== 'pdf' || !DRAWN.has(rule)) return undefined;
  const isSheet =
    !trimMm || Object.values(trimMm).every((side) => side >= SHEET_SIDE_MM_MIN && side <= SHEET_SIDE_MM_MAX);
  if (!isSheet) return undefined;
  const size = trimMm && {
    product_size: 'custom',
    custom_width_mm: trimMm.width,
    custom_height_mm: trimMm.height,
  };
  const page = findings.find((one) => one.rule === rule && one.page !== undefined)?.page ?? 1;
  const which = pages > 1 ? ` Page ${page} of ${pages}; the others by pages.` : '';
  return {
    tool: 'print_ready',
    params: { image, ...size, ...(pages > 1 && { pages: String(page) }), output_format: 'pdf' },
    why: `Draws the page anew as a CMYK sheet with bleed; its text becomes pixels.${which}`,
  };
}

const SENTENCES = {
  pass: 'Nothing was found that keeps it from printing as meant.',
  warn: 'It can be printed, but may not look as meant',
  fail: 'It will not print as meant, or breaks its standard',
} as const;

const verdictOf = ({ counts }: Report): keyof typeof SENTENCES =>
  counts.error > 0 ? 'fail' : counts.warning > 0 ? 'warn' : 'pass';

function summaryOf(verdict: keyof typeof SENTENCES, { counts }: Report, [first]: Gravest): string {
  if (verdict === 'pass' || !first) return SENTENCES[verdict];
  const numbers = [
    counts.error > 0 && `${counts.error} ${counts.error === 1 ? 'error' : 'errors'}`,
    counts.warning > 0 && `${counts.warning} ${counts.warning === 1 ? 'warning' : 'warnings'}`,
  ].filter(Boolean);
  return `${SENTENCES[verdict]}: ${numbers.join(' and ')}. First: ${first.message}`;
}
