/** Rounds to a number of decimal places. */
export const roundTo = (value: number, digits: number): number => Number(value.toFixed(digits));
