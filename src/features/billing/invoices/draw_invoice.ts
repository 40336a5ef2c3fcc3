import type { Layer, TextLayer } from '@atelier/imaging/composer/layers.ts';
import { MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import { moneyText, taxOf } from '../../definitions/tax.ts';
import type { Drawing, Invoice } from './types.ts';

const DPI = 300;
const MM = DPI / 25.4;
const POINT = DPI / 72;
/** A4 in mm. */
const PAGE = { width: 210, height: 297 };
const MARGIN = 20;
const INK = '#1c1c1c';
const QUIET = '#666666';
const ALARM = '#b3261e';
/** Pixels acquired for a drawing: only emoji are rasterised. */
const PIXELS_HELD = 2_000_000;

/**
 * Draws an invoice as one A4 page with selectable text. Equal invoices give equal bytes.
 * @throws AtelierError busy, timed_out
 */
export async function drawInvoice(
  pixels: Drawing['pixels'],
  invoice: Invoice,
  { signal, address, callerKey }: Omit<Drawing, 'pixels'>,
): Promise<Uint8Array> {
  const canvas = {
    width: Math.round(PAGE.width * MM),
    height: Math.round(PAGE.height * MM),
    dpi: DPI,
    background: 'white',
  };
  const { bytes } = await pixels.run(
    'compose',
    { canvas, layers: layersOf(invoice), format: 'pdf', images: {} },
    {
      pixels: PIXELS_HELD,
      signal,
      ...(address !== undefined && { address }),
      ...(callerKey !== undefined && { callerKey }),
    },
  );
  return bytes;
}

interface Style extends Pick<TextLayer, 'align' | 'valign' | 'weight' | 'color'> {
  /** Font size in points; reduced where the text does not fit. */
  readonly size?: number;
}

/** Text in a box, in mm. Text that does not fit is set smaller. */
function text(words: string, [x, y, width, height]: readonly number[], style: Style = {}): Layer[] {
  if (words.trim() === '') return [];
  const { size = 9.5, color = INK, align = 'left', valign = 'top', weight } = style;
  const box = { x: x! * MM, y: y! * MM, width: width! * MM, height: height! * MM };
  return [
    {
      type: 'text',
      text: broken(words, width!),
      box,
      size: size * POINT,
      fit: true,
      color,
      align,
      valign,
      weight,
    },
  ];
}

/** Breaks words longer than a line, which would shrink the whole text. @param width mm */
const broken = (words: string, width: number): string =>
  words.replace(new RegExp(`\\S{${Math.floor(width / WORD_CHARACTER_MM)}}(?=\\S)`, 'gu'), '$&\n');
/** Width of a wide letter at 9.5 points. */
const WORD_CHARACTER_MM = 2.4;

const rule = (y: number, color: string): Layer => ({
  type: 'shape',
  shape: 'rect',
  fill: color,
  box: { x: MARGIN * MM, y: y * MM, width: (PAGE.width - 2 * MARGIN) * MM, height: 0.25 * MM },
});

const COLUMN = 95;
const RIGHT = PAGE.width - MARGIN;

function layersOf(invoice: Invoice): Layer[] {
  const { seller, buyer, number, at, wallet, purchase } = invoice;
  const isTest = number.startsWith('TEST-');
  const taxLine = (id: string | undefined) => (id ? `Tax number: ${id}` : '');
  const day = at.toISOString().slice(0, 10);
  const buyerLines = [
    buyer.name,
    buyer.address,
    taxLine(buyer.taxId),
    wallet === null ? '' : `Wallet ${wallet}`,
  ];
  return [
    ...text(seller.name ?? '', [MARGIN, 20, COLUMN, 14], { size: 13, weight: 700, valign: 'bottom' }),
    ...text(linesOf([seller.address, taxLine(seller.taxId)]), [MARGIN, 36, COLUMN, 22]),
    ...text('Invoice', [125, 20, RIGHT - 125, 14], {
      size: 24,
      weight: 700,
      align: 'right',
      valign: 'bottom',
    }),
    ...text(linesOf([`Number ${number}`, `Date ${day}`]), [125, 36, RIGHT - 125, 12], { align: 'right' }),
    ...(isTest
      ? text('Test: no money was paid', [125, 48, RIGHT - 125, 8], {
          align: 'right',
          weight: 700,
          color: ALARM,
        })
      : []),
    ...text('Billed to', [MARGIN, 66, COLUMN, 5], { size: 8, color: QUIET }),
    ...text(linesOf(buyerLines) || 'The holder of the card', [MARGIN, 71, COLUMN + 20, 30]),
    ...tableOf(invoice),
    ...text(paymentText(invoice, day), [MARGIN, 158, PAGE.width - 2 * MARGIN, 22]),
    ...text(`Purchase ${purchase}`, [MARGIN, 274, PAGE.width - 2 * MARGIN, 5], { size: 7, color: QUIET }),
  ];
}

const linesOf = (lines: readonly (string | undefined)[]): string => lines.filter(Boolean).join('\n');

interface Column {
  readonly head: string;
  readonly cell: string;
  /** Position in mm, from the left. */
  readonly left: number;
  readonly width: number;
}

/** Table with one line: the purchase and its tax. */
function tableOf(invoice: Invoice): Layer[] {
  const { seller, amount, credits, currency } = invoice;
  const tax = taxOf(amount, seller.taxPercent);
  const money = (value: number) => `${moneyText(value)} ${currency}`;
  const numbers = [
    ['Credits', (credits / MILLICREDITS_PER_CREDIT).toLocaleString('en-US', { maximumFractionDigits: 3 })],
    ...(tax
      ? [
          ['Net', money(tax.net)],
          [`Tax ${seller.taxPercent} %`, money(tax.tax)],
        ]
      : []),
    [tax ? 'Total' : 'Amount', money(amount)],
  ] as const;
  const width = 27;
  const columns: Column[] = numbers.map(([head, cell], at) => ({
    head: head!,
    cell: cell!,
    left: RIGHT - width * (numbers.length - at),
    width,
  }));
  const described = columns[0]!.left - MARGIN - 4;
  return [
    ...text('Description', [MARGIN, 108, described, 5], { size: 8, color: QUIET }),
    ...columns.flatMap(({ head, left, width: across }) =>
      text(head, [left, 108, across, 5], { size: 8, color: QUIET, align: 'right' }),
    ),
    rule(114, INK),
    ...text(descriptionOf(invoice), [MARGIN, 117, described, 12]),
    ...columns.flatMap(({ cell, left, width: across }) =>
      text(cell, [left, 117, across, 12], { align: 'right' }),
    ),
    rule(131, '#c8c8c8'),
    ...text('Total paid', [MARGIN, 134, described, 8], { size: 11, weight: 700 }),
    ...text(money(amount), [RIGHT - 60, 134, 60, 8], { size: 11, weight: 700, align: 'right' }),
  ];
}

function descriptionOf({ purchase, item }: Invoice): string {
  if (purchase.startsWith('checkout:')) return `Credits, pack ${item}`;
  return purchase.startsWith('x402:') ? `Call of the tool ${item}` : `Calls of the tool ${item}, prepaid`;
}

const MEANS: Readonly<Record<string, string>> = {
  card: 'card',
  card_test: 'a test card, which moves no money',
  simulated: 'a simulated card, which moves no money',
  x402: 'x402',
};

function paymentText({ means, network, payment }: Invoice, day: string): string {
  const where = network === null ? '' : ` on the network ${network}`;
  const reference = payment === null ? '' : `Reference of the payment: ${payment}`;
  return linesOf([`Paid on ${day} by ${MEANS[means] ?? means}${where}.`, reference]);
}
