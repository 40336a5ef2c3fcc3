/** A branch as a chain runs along it. */
export interface Link {
  readonly branch: number;
  readonly backwards: boolean;
}

/** Branches one after the other; a closed chain ends where it begins. */
export interface Chain {
  readonly links: readonly Link[];
  readonly isClosed: boolean;
}

/**
 * Chains of `count` branches whose ends are joined in pairs: end 2n is the start of branch n, 2n + 1 its end. `partners` has
 * the end that each one goes on at, or -1.
 */
export function chainBranches(count: number, partners: Int32Array): Chain[] {
  const taken = new Uint8Array(count);
  const chains: Chain[] = [];
  const walk = (first: number): void => {
    const links: Link[] = [];
    let entry = first;
    do {
      taken[entry >> 1] = 1;
      links.push({ branch: entry >> 1, backwards: (entry & 1) === 1 });
      entry = partners[entry ^ 1]!;
    } while (entry >= 0 && taken[entry >> 1] === 0);
    chains.push({ links, isClosed: entry === first });
  };
  for (let end = 0; end < 2 * count; end++) if (partners[end]! < 0 && taken[end >> 1] === 0) walk(end);
  for (let branch = 0; branch < count; branch++) if (taken[branch] === 0) walk(2 * branch);
  return chains;
}
