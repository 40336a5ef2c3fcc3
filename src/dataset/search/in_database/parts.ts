/** Tables the index of works is cut into. Another number needs a migration that moves the works. */
export const PARTS = 8;

export const partOf = (number: number): number => number % PARTS;
