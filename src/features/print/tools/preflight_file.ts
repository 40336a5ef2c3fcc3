import { z } from 'zod';
import { UPLOAD_BYTES_MAX } from '../../../config/limits.ts';
import { engineAnswer, fileAnswer, imageAnswer } from '../../definitions/fields.ts';
import { handleIn } from '../../definitions/handle_in.ts';
import { FREE } from '../../definitions/price.ts';
import { alsoCalled } from '../../definitions/spellings.ts';
import { type CallContext, defineTool } from '../../definitions/tool.ts';
import { PREFLIGHT_PIXELS } from '../../definitions/tool_limits.ts';
import type { Services } from '../../services.ts';

/** A card of one RGB area without bleed, 452 bytes: a PDF in which a printer finds fault. */
const EXAMPLE_PDF_B64 =
  'JVBERi0xLjQKMSAwIG9iago8PC9UeXBlL0NhdGFsb2cvUGFnZXMgMiAwIFI+PgplbmRvYmoKMiAwIG9iago8PC9UeXBlL1BhZ2VzL0tpZHNbMyAwIFJdL0NvdW50IDE+PgplbmRvYmoKMyAwIG9iago8PC9UeXBlL1BhZ2UvUGFyZW50IDIgMCBSL01lZGlhQm94WzAgMCAyNjEgMTYyXS9UcmltQm94WzMgMyAyNTggMTU5XS9Db250ZW50cyA0IDAgUi9SZXNvdXJjZXM8PD4+Pj4KZW5kb2JqCjQgMCBvYmoKPDwvTGVuZ3RoIDI1Pj5zdHJlYW0KMSAwIDAgcmcgMyAzIDI1NSAxNTYgcmUgZgplbmRzdHJlYW0KZW5kb2JqCnhyZWYKMCA1CjAwMDAwMDAwMDAgNjU1MzUgZiAKMDAwMDAwMDAwOSAwMDAwMCBuIAowMDAwMDAwMDU0IDAwMDAwIG4gCjAwMDAwMDAxMDUgMDAwMDAgbiAKMDAwMDAwMDIyMCAwMDAwMCBuIAp0cmFpbGVyCjw8L1NpemUgNS9Sb290IDEgMCBSPj4Kc3RhcnR4cmVmCjI5MgolJUVPRgo=';

const count = z.int().min(0);
const mm = z.number();
const standard = z.enum(['pdfx1a', 'pdfx3', 'pdfx4', 'none']);

const finding = z.object({
  rule: z.string().describe('Name of the rule; it never changes its meaning.'),
  severity: z
    .enum(['error', 'warning', 'info'])
    .describe('error: breaks the standard or will not print as meant. warning: may go wrong.'),
  page: z.int().min(1).optional(),
  object: z.string().optional().describe('What breaks it, as the file names it: "image Im1 (object 12)".'),
  box_mm: z
    .object({ left: mm, top: mm, width: mm, height: mm })
    .optional()
    .describe('Where, from the upper left corner of the page as it is looked at.'),
  mark: z.int().min(1).optional().describe('Its number in the drawing of its page.'),
  message: z.string(),
  remedy: z.string(),
});

export const preflightFile = defineTool({
  name: 'preflight_file',
  title: 'Check a print file',
  category: 'creative',
  toolset: 'print',
  summary:
    'Checks a PDF (X-1a, X-3, X-4) or TIFF made elsewhere before it is printed: every fault with page, object, place and remedy, marked in drawings.',
  instead: { print_ready: 'to make a sheet' },
  words:
    'preflight a pdf, check my pdf for print, is this pdf ready for the printer, validate pdf/x, pdf/x-4 conformance, pdfx validator, press check, fonts embedded, rgb in pdf, missing bleed in a pdf, trim box, overprint, total ink, tac, output intent, prepress check, tiff from another program, existing file, my designer sent, indesign export, canva pdf, faults, errors, acrobat preflight, pitstop',
  price: FREE,
  input: z.object({
    file: alsoCalled(
      z
        .string()
        .min(1, 'must not be empty')
        .meta({ contentMediaType: 'application/octet-stream' })
        .describe('PDF or TIFF: URL, upload:<id>, asset:<key>, result:<id> or base64.'),
      ...['pdf', 'tiff', 'document', 'data', 'url', 'file_url', 'file_b64', 'image', 'input', 'handle'],
    ),
    standard: alsoCalled(
      z
        .enum(['claimed', ...standard.options])
        .default('claimed')
        .describe('claimed: as the file says.'),
      ...['profile', 'conformance', 'pdfx', 'judge_as'],
    ),
  }),
  output: z.object({
    passes: z.boolean().describe('No finding is an error; what was not looked at is a finding, too.'),
    looked_at: z
      .object({
        kind: z.enum(['pdf', 'tiff']),
        version: z.string(),
        claimed: z.string().nullable().describe('The standard the file says it follows, word for word.'),
        judged_by: standard.describe('none: only what is good for any printer.'),
        rules: count,
        pages: count,
        pages_read: count,
        trim_mm: z.object({ width: mm, height: mm }).nullable().describe('Of the first page.'),
        inks: z.array(z.string()).describe('Spot colours.'),
      })
      .describe('What the file is, and how far it was looked at.'),
    counts: z.object({
      error: count,
      warning: count,
      info: count,
      untold: count.describe('Counted and left out of findings: of each rule the first ones are told.'),
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
      .describe('Sketches of the first pages with faults, as PNG, with the marks of the findings.'),
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{ file: EXAMPLE_PDF_B64 }, { file: EXAMPLE_PDF_B64, standard: 'pdfx4' }],
  next: ({ findings }, { file }) =>
    findings.some(({ rule }) => rule === 'tiff_rgb')
      ? [
          {
            action: 'Convert it for the press',
            tool: 'convert_color_profile',
            why: 'A TIFF for the press is CMYK',
            params: { image: handleIn(file) },
          },
        ]
      : [],
  async run(
    { file, standard: judgedBy },
    { images, pixels, results }: Pick<Services, 'images' | 'pixels' | 'results'>,
    call,
  ) {
    const bytes = await images.read(file, 'file', senderOf(call), UPLOAD_BYTES_MAX);
    const { drawings, ...report } = await pixels.run(
      'preflight',
      { bytes, standard: judgedBy },
      { pixels: PREFLIGHT_PIXELS, ...call },
    );
    const kept = [];
    for (const { page, bytes: png, width, height } of drawings) {
      const { handle, url } = await results.keep(png, 'image/png');
      kept.push({
        page,
        width,
        height,
        content_type: 'image/png',
        size_bytes: png.length,
        result: handle,
        result_url: url,
      });
    }
    return {
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
      },
      counts: { ...report.counts, untold: report.untold },
      findings: [...report.findings],
      drawings: kept,
      engine: report.engine,
      degraded: false,
    };
  },
});

const senderOf = ({ wallet, signal }: CallContext) => ({ signal, ...(wallet !== undefined && { wallet }) });
