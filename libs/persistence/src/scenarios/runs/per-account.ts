/** One value for each account that is in use, dropped with its last use. */
export class PerAccount<Value> {
  private readonly values = new Map<string, { value: Value; uses: number }>();

  constructor(private readonly make: (accountId: string) => Value) {}

  async use<Result>(accountId: string, work: (value: Value) => Promise<Result>): Promise<Result> {
    const entry = this.values.get(accountId) ?? { value: this.make(accountId), uses: 0 };
    this.values.set(accountId, entry);
    entry.uses += 1;
    try {
      return await work(entry.value);
    } finally {
      entry.uses -= 1;
      if (entry.uses === 0) this.values.delete(accountId);
    }
  }
}

/** The owner of the statements of an account's scenarios, which have slots besides those of the account's calls. */
export const scenariosOf = (accountId: string): string => `scenarios of ${accountId}`;
