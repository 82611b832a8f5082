// Rows as values of a statement: many (an array for each column) or one. A list of columns says each column's name, PostgreSQL type and
// value once, numbers the parameters, and gives both the SQL and the values.

/** The value that a column of each type takes; `undefined` is NULL. Other types, such as enums, take text. */
interface TypeValues {
  uuid: string;
  text: string;
  boolean: boolean;
  int: number;
  float: number;
  bigint: number | string;
  timestamptz: Date;
  /** The text is JSON already. */
  jsonb: string;
  /** NULL is possible in a single row only: among many rows it becomes empty. */
  bytea: Uint8Array;
}

type Typed<Item, Type, Value> = readonly [type: Type, value: (item: Item) => Value | null | undefined];

/** A column's PostgreSQL type, and the function that gives its value for an item. */
export type Column<Item> =
  { [Type in keyof TypeValues]: Typed<Item, Type, TypeValues[Type]> }[keyof TypeValues] | Typed<Item, EnumType, string>;

type EnumType = 'identity_kind' | 'number_validity' | 'message_direction' | 'message_status' | 'chat_instance_status';

type ParametersOf<Item> = (items: readonly Item[]) => unknown[];

export class Columns<Item> {
  /** The columns' names, in their order. */
  readonly names: readonly string[];
  private readonly arrays = new Map<string, string>();
  private readonly joinedBytes = new Map<string, string>();
  private readonly parameters: ParametersOf<Item>[] = [];
  private count: number;

  /**
   * @param columns by their names in SQL
   * @param first the number of their first parameter; $1 is the tenant
   */
  constructor(columns: Readonly<Record<string, Column<Item>>>, first = 2) {
    this.count = first;
    for (const [name, column] of Object.entries<Column<Item>>(columns))
      if (column[0] === 'bytea') this.addBytes(name, column[1]);
      else this.addArray(name, column);
    this.names = [...this.arrays.keys()];
  }

  /** A column as an array: `$3::uuid[]`. */
  array(name: string): string {
    return placeOf(name, this.arrays);
  }

  /** The bytes of a column of type `bytea`, in a row of `rows`. */
  bytes(name: string): string {
    return `substring(${placeOf(name, this.joinedBytes)}, ${name}_start, ${name}_length)`;
  }

  /** The rows, with all columns or some: `unnest($2::uuid[], …) AS alias (id, …)`. */
  rows(alias: string, names = this.names): string {
    return `${this.unnest(names)} AS ${alias} (${names.join(', ')})`;
  }

  /** The rows like `rows`, with a column `position` that counts from 1. */
  numberedRows(alias: string): string {
    return `${this.unnest(this.names)} WITH ORDINALITY AS ${alias} (${this.names.join(', ')}, position)`;
  }

  /** The values of all parameters, in their order. */
  valuesOf(items: readonly Item[]): unknown[] {
    return this.parameters.flatMap((parametersOf) => parametersOf(items));
  }

  /** The number of the first parameter after these. */
  get next(): number {
    return this.count;
  }

  private unnest(names: readonly string[]): string {
    return `unnest(${names.map((name) => this.array(name)).join(', ')})`;
  }

  private addArray(name: string, [type, value]: Column<Item>): void {
    this.arrays.set(name, `$${this.count}::${type}[]`);
    this.parameters.push((items) => [arrayLiteral(items, value as ValueOf<Item>)]);
    this.count += 1;
  }

  // The driver writes bytes in an array as hexadecimal text. All bytes joined go as they are, and are cut in PostgreSQL.
  private addBytes(name: string, value: (item: Item) => Uint8Array | null | undefined): void {
    this.joinedBytes.set(name, `$${this.count}::bytea`);
    this.arrays.set(`${name}_start`, `$${this.count + 1}::int[]`);
    this.arrays.set(`${name}_length`, `$${this.count + 2}::int[]`);
    this.parameters.push((items) => joinBytes(items.map((item) => value(item) ?? new Uint8Array())));
    this.count += 3;
  }
}

/** A row, with a parameter for each of its columns. */
export class Row<Item> {
  /** The columns' names, in their order: `id, body`. */
  readonly names: string;
  /** Their parameters: `$2::uuid, $3::text`. */
  readonly values: string;
  /** The number of the first parameter after these. */
  readonly next: number;
  private readonly places: ReadonlyMap<string, string>;
  private readonly columns: readonly Column<Item>[];

  /** @param columns by their names in SQL, like those of `Columns` */
  constructor(columns: Readonly<Record<string, Column<Item>>>, first = 2) {
    this.columns = Object.values(columns);
    this.places = new Map(Object.entries(columns).map(([name, [type]], index) => [name, `$${first + index}::${type}`]));
    this.names = [...this.places.keys()].join(', ');
    this.values = [...this.places.values()].join(', ');
    this.next = first + this.columns.length;
  }

  /** The parameter of a column: `$3::text`. */
  value(name: string): string {
    return placeOf(name, this.places);
  }

  /** The values of all parameters, in their order. */
  valuesOf(item: Item): unknown[] {
    return this.columns.map(([, value]) => value(item));
  }
}

type Element = Exclude<TypeValues[keyof TypeValues], Uint8Array>;
type ValueOf<Item> = (item: Item) => Element | null | undefined;

// All text is quoted, whatever the column's type: PostgreSQL refuses text that is not of the type.
function elementText(element: Element): string {
  if (typeof element === 'string') return quoted(element);
  return typeof element === 'object' ? timeText(element) : String(element);
}

// PostgreSQL writes years beyond four digits, and those before Christ, differently from ISO 8601.
function timeText(time: Date): string {
  const iso = time.toISOString();
  if (iso.startsWith('+')) return iso.replace(/^\+0*/, '');
  if (!iso.startsWith('-')) return iso;
  return `"${String(1 - Number(iso.slice(0, 7))).padStart(4, '0')}${iso.slice(7)} BC"`;
}

const special = /["\\]/;
const allSpecial = /["\\]/g;

function quoted(text: string): string {
  return `"${special.test(text) ? text.replace(allSpecial, String.raw`\$&`) : text}"`;
}

/** Writes the text of an array. The driver would look at the type of each element, and escape elements that need no escapes. */
function arrayLiteral<Item>(items: readonly Item[], valueOf: ValueOf<Item>): string {
  let text = '{';
  for (const item of items) {
    const value = valueOf(item);
    text += `${text.length === 1 ? '' : ','}${value == null ? 'NULL' : elementText(value)}`;
  }
  return `${text}}`;
}

/** Joins the parts. @returns all bytes, the start of each part (from 1), and its length */
function joinBytes(parts: readonly Uint8Array[]): [Uint8Array, string, string] {
  const [only] = parts;
  let end = 1;
  const starts = parts.map(({ length }) => (end += length) - length);
  const joined = only !== undefined && parts.length === 1 ? only : Buffer.concat(parts);
  return [joined, `{${starts.join(',')}}`, `{${parts.map(({ length }) => length).join(',')}}`];
}

function placeOf(name: string, places: ReadonlyMap<string, string>): string {
  const place = places.get(name);
  if (place === undefined) throw new Error(`There is no column ${name}`);
  return place;
}
