import { canonicalHeaderName } from './header-name.js';
import { splitList } from './text.js';

const lowerOf = (name: string): string => name.toLowerCase();

/**
 * The header lines of one message, in order, as they came; names in canonical spelling.
 * Values are byte strings (one character an octet), trimmed and unfolded, never split: a line that lists several
 * values stays one line. Names given to the methods are matched without regard to case and in compact form too.
 */
export class Headers {
  private readonly names: string[] = [];
  private readonly values: string[] = [];
  #changes = 0;

  /** Builds a list from pairs, in order. */
  static from(pairs: Iterable<readonly [string, string]>): Headers {
    const headers = new Headers();
    for (const [name, value] of pairs) headers.add(name, value);
    return headers;
  }

  /** Grows with each change. */
  get revision(): number {
    return this.#changes;
  }

  get size(): number {
    return this.names.length;
  }

  /** The first line's value. */
  get(name: string): string | undefined {
    const at = this.indexOf(name);
    return at < 0 ? undefined : this.values[at];
  }

  has(name: string): boolean {
    return this.indexOf(name) >= 0;
  }

  /** The values of all lines of that name, one entry a line. */
  lines(name: string): string[] {
    const canonical = canonicalHeaderName(name);
    const found: string[] = [];
    for (let i = 0; i < this.names.length; i++) {
      if (this.matches(i, canonical)) found.push(this.values[i]!);
    }
    return found;
  }

  /** The values of all lines of that name with comma lists split (RFC 3261 §7.3.1). Not for challenges, credentials or dates. */
  list(name: string): string[] {
    const lines = this.lines(name);
    if (lines.length === 0) return lines;
    return lines.flatMap((line) => (line.includes(',') ? splitList(line) : [line]));
  }

  /** How many lines of that name there are. */
  count(name: string): number {
    const canonical = canonicalHeaderName(name);
    let found = 0;
    for (let i = 0; i < this.names.length; i++) if (this.matches(i, canonical)) found++;
    return found;
  }

  /** Appends a line whose name is in canonical spelling already: the parser's way in. */
  addCanonical(name: string, value: string): void {
    this.#changes++;
    this.names.push(name);
    this.values.push(value);
  }

  /** Appends a line. */
  add(name: string, value: string): this {
    this.#changes++;
    this.names.push(canonicalHeaderName(name));
    this.values.push(value);
    return this;
  }

  /** Puts a line before all others (Via). */
  prepend(name: string, value: string): this {
    this.#changes++;
    this.names.unshift(canonicalHeaderName(name));
    this.values.unshift(value);
    return this;
  }

  /** Replaces the first line of that name in place and removes the others; appends when there is none. */
  set(name: string, value: string): this {
    this.#changes++;
    const canonical = canonicalHeaderName(name);
    let placed = false;
    for (let i = 0; i < this.names.length; i++) {
      if (!this.matches(i, canonical)) continue;
      if (placed) {
        this.names.splice(i, 1);
        this.values.splice(i, 1);
        i--;
      } else {
        this.values[i] = value;
        placed = true;
      }
    }
    return placed ? this : this.add(canonical, value);
  }

  /** Replaces only the first line of that name (the topmost Via). */
  setFirst(name: string, value: string): this {
    const at = this.indexOf(name);
    if (at < 0) return this.add(name, value);
    this.#changes++;
    this.values[at] = value;
    return this;
  }

  /** Removes all lines of that name. */
  remove(name: string): this {
    this.#changes++;
    const canonical = canonicalHeaderName(name);
    for (let i = this.names.length - 1; i >= 0; i--) {
      if (!this.matches(i, canonical)) continue;
      this.names.splice(i, 1);
      this.values.splice(i, 1);
    }
    return this;
  }

  clone(): Headers {
    const copy = new Headers();
    for (let i = 0; i < this.names.length; i++) {
      copy.names.push(this.names[i]!);
      copy.values.push(this.values[i]!);
    }
    return copy;
  }

  *[Symbol.iterator](): IterableIterator<[string, string]> {
    for (let i = 0; i < this.names.length; i++) yield [this.names[i]!, this.values[i]!];
  }

  /** Calls back for each line; cheaper than iterating. */
  forEach(visit: (name: string, value: string) => void): void {
    for (let i = 0; i < this.names.length; i++) visit(this.names[i]!, this.values[i]!);
  }

  private indexOf(name: string): number {
    // Nearly all callers use the canonical name: no lookup, no folding.
    for (let i = 0; i < this.names.length; i++) if (this.names[i] === name) return i;
    const canonical = canonicalHeaderName(name);
    for (let i = 0; i < this.names.length; i++) if (this.matches(i, canonical)) return i;
    return -1;
  }

  private matches(index: number, canonical: string): boolean {
    const name = this.names[index]!;
    if (name === canonical) return true;
    // Names that keep their received spelling.
    return (
      name.length === canonical.length &&
      (name.charCodeAt(1) === 45 || name.includes('_')) &&
      lowerOf(name) === lowerOf(canonical)
    );
  }
}
