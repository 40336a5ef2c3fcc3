/** The ledger as a plain program would keep it: no SQL, no concurrency. What the real one is compared with. */
export interface ModelHold {
  readonly wallet: string;
  readonly amount: number;
  readonly expiresAtMs: number;
  state: 'running' | 'settled' | 'released' | 'expired';
}

export interface ModelWallet {
  balance: number;
  spent: number;
  creditBack: number;
}

export class Model {
  readonly wallets = new Map<string, ModelWallet>();
  readonly holds = new Map<string, ModelHold>();

  held(wallet: string): number {
    const running = [...this.holds.values()].filter(
      (hold) => hold.wallet === wallet && hold.state === 'running',
    );
    return running.reduce((sum, { amount }) => sum + amount, 0);
  }

  /** True when it is new. */
  register(wallet: string): boolean {
    if (this.wallets.has(wallet)) return false;
    this.wallets.set(wallet, { balance: 10_000, spent: 0, creditBack: 0 });
    return true;
  }

  hold(
    id: string,
    wallet: string,
    amount: number,
    expiresAtMs: number,
  ): 'held' | 'wallet_not_registered' | 'insufficient_credits' {
    const found = this.wallets.get(wallet);
    if (!found) return 'wallet_not_registered';
    if (this.holds.has(id)) return 'held';
    if (found.balance - this.held(wallet) < amount) return 'insufficient_credits';
    this.holds.set(id, { wallet, amount, expiresAtMs, state: 'running' });
    return 'held';
  }

  settle(id: string, nowMs: number): 'settled' | 'refused' {
    const hold = this.holds.get(id)!;
    if (hold.state === 'settled') return 'settled';
    if (hold.state !== 'running' || nowMs >= hold.expiresAtMs) return 'refused';
    hold.state = 'settled';
    const wallet = this.wallets.get(hold.wallet)!;
    const creditBack = Math.floor((hold.amount * 5) / 100);
    wallet.balance += creditBack - hold.amount;
    wallet.spent += hold.amount;
    wallet.creditBack += creditBack;
    return 'settled';
  }

  release(id: string): void {
    const hold = this.holds.get(id)!;
    if (hold.state === 'running') hold.state = 'released';
  }

  expire(nowMs: number, all: boolean): number {
    const due = [...this.holds.values()].filter(
      (hold) => hold.state === 'running' && (all || nowMs >= hold.expiresAtMs),
    );
    for (const hold of due) hold.state = 'expired';
    return due.length;
  }
}
