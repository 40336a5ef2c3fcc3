/** Something that waits for its turn. */
export interface Turn {
  /** Who asks: the network address, and within it the wallet or key, of which an address may have any number. */
  readonly address: string;
  readonly callerKey: string;
  /** CPU seconds it is predicted to take. */
  readonly cost: number;
}

/** CPU seconds an address, or a caller within it, has been charged since it came, and how many of its turns wait or are served now. */
interface Party {
  served: number;
  present: number;
  readonly members: Map<string, Party>;
}

/**
 * Who is next: of the addresses that wait, the one that has been served least, and within it the caller that has, oldest
 * first. Whoever comes new starts level with the one served least so far, so neither a long queue nor a long absence is of use.
 */
export class FairQueue<T extends Turn> {
  readonly #waiting = new Set<T>();
  readonly #addresses = new Map<string, Party>();

  /** In the order they came. */
  get waiting(): ReadonlySet<T> {
    return this.#waiting;
  }

  /** The next to be served first. */
  get inOrder(): T[] {
    return [...this.#waiting].sort((one, other) => {
      const [address, caller] = this.#parties(one);
      const [otherAddress, otherCaller] = this.#parties(other);
      return address.served - otherAddress.served || caller.served - otherCaller.served;
    });
  }

  enter(turn: T): void {
    this.#waiting.add(turn);
    const address = enterParty(this.#addresses, turn.address);
    enterParty(address.members, turn.callerKey);
  }

  /** It is served from now on. */
  serve(turn: T): void {
    this.#waiting.delete(turn);
    for (const party of this.#parties(turn)) party.served += turn.cost;
  }

  /** Replaces the prediction that was charged by what was measured. CPU seconds. */
  correct(turn: T, spentSeconds: number): void {
    for (const party of this.#parties(turn)) party.served += spentSeconds - turn.cost;
  }

  /** It was served, or waits no longer. */
  leave(turn: T): void {
    this.#waiting.delete(turn);
    const [address] = this.#parties(turn);
    leaveParty(address.members, turn.callerKey);
    leaveParty(this.#addresses, turn.address);
  }

  #parties({ address, callerKey }: T): [Party, Party] {
    const party = this.#addresses.get(address)!;
    return [party, party.members.get(callerKey)!];
  }
}

function enterParty(parties: Map<string, Party>, name: string): Party {
  const others = [...parties.values()].map(({ served }) => served);
  const level = others.length > 0 ? Math.min(...others) : 0;
  const party = parties.get(name) ?? { served: level, present: 0, members: new Map() };
  party.present += 1;
  parties.set(name, party);
  return party;
}

function leaveParty(parties: Map<string, Party>, name: string): void {
  const party = parties.get(name)!;
  party.present -= 1;
  if (party.present === 0) parties.delete(name);
}
