// There is a statement for each selection, and PostgreSQL keeps the plans of named statements on each connection.

const maxNames = 400;
/** The most names of one tenant, which leaves names to the others. */
const maxNamesOfTenant = 40;

/** Names of the statements of lists, by their texts. Beyond the limits, statements are planned each time. */
export class StatementNames {
  private readonly names = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  /** @param tenantId the tenant of the caller @param prefix the statement's name in traces */
  nameOf(tenantId: string, prefix: string, text: string): string | undefined {
    const known = this.names.get(text);
    if (known !== undefined) return known;
    const own = this.counts.get(tenantId) ?? 0;
    if (this.names.size >= maxNames || own >= maxNamesOfTenant) return undefined;
    const name = `${prefix}-${this.names.size + 1}`;
    this.names.set(text, name);
    this.counts.set(tenantId, own + 1);
    return name;
  }
}
