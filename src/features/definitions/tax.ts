/**
 * Tax that a gross amount includes, and the rest, rounded to cents. Issued invoices depend on the rounding.
 * @param amount ten-thousandths of the currency
 * @param taxPercent of the net price; undefined where no tax is stated
 */
export function taxOf(
  amount: number,
  taxPercent: number | undefined,
): { readonly tax: number; readonly net: number } | undefined {
  if (taxPercent === undefined) return undefined;
  const tax = Math.round((amount * taxPercent) / (100 + taxPercent) / 100) * 100;
  return { tax, net: amount - tax };
}

/** Two decimals; four for payments in fractions of a cent. @param amount ten-thousandths */
export const moneyText = (amount: number): string => (amount / 10_000).toFixed(amount % 100 === 0 ? 2 : 4);
