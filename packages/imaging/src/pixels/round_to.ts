/** To so many digits after the point. */
export const roundTo = (value: number, digits: number): number => Number(value.toFixed(digits));
