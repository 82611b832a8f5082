// Changes that are made while data is read. The answer may be older than they are, and would take them back.

/** Is made once more on data that may have it already: it replaces, filters and sorts, and counts nothing. */
export type Change<Data> = (data: Data) => Data;

export class Meanwhile<Data> {
  private changes: Change<Data>[] | undefined;

  /** A reading begins. Another that is still under way will not be shown. */
  begin(): void {
    this.changes = [];
  }

  add(change: Change<Data>): void {
    this.changes?.push(change);
  }

  /** The reading has ended, or failed. @returns the changes since it began, as one */
  end(): Change<Data> {
    const changes = this.changes ?? [];
    this.changes = undefined;
    return (answer) => changes.reduce((now, change) => change(now), answer);
  }
}
