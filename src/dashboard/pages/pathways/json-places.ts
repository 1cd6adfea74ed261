/** Where the values of a JSON text stand, for an editor that leads to what the API refuses. */

export interface JsonFault {
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

export type ReadJson =
  | { readonly value: unknown; readonly places: ReadonlyMap<string, number>; readonly fault?: undefined }
  | { readonly fault: JsonFault };

/** @returns the value, and the offset of each value by its path, such as `nodes.3.prompt`; or the first syntax error */
export function readJson(text: string): ReadJson {
  const reader = new Reader(text);
  try {
    const value = reader.document();
    return { value, places: reader.places };
  } catch (error) {
    if (!(error instanceof Expected)) throw error;
    const offset = Math.min(reader.offset, text.length);
    const line = text.slice(0, offset).split('\n').length;
    return { fault: { offset, line, message: `Line ${line}: expected ${error.message}.` } };
  }
}

class Expected extends Error {}

const blank = /[ \t\r\n]*/y;
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

class Reader {
  readonly places = new Map<string, number>();
  offset = 0;

  constructor(private readonly text: string) {}

  document(): unknown {
    this.skip();
    const value = this.value('');
    this.skip();
    if (this.offset < this.text.length) throw new Expected('the end of the document');
    return value;
  }

  private value(path: string): unknown {
    this.places.set(path, this.offset);
    const next = this.text[this.offset];
    if (next === '{') return this.object(path);
    if (next === '[') return this.array(path);
    if (next === '"') return this.string('a text in double quotes');
    const found = this.take(scalar);
    if (found === undefined) throw new Expected('a value');
    return JSON.parse(found);
  }

  private object(path: string): object {
    const members: [string, unknown][] = [];
    this.list('}', () => {
      const key = this.string('a field name in double quotes');
      this.skip();
      this.expect(':');
      this.skip();
      members.push([key, this.value(join(path, key))]);
    });
    return Object.fromEntries(members);
  }

  private array(path: string): unknown[] {
    const items: unknown[] = [];
    this.list(']', () => items.push(this.value(join(path, String(items.length)))));
    return items;
  }

  private list(end: '}' | ']', item: () => void): void {
    this.offset++;
    this.skip();
    if (this.text[this.offset] === end) {
      this.offset++;
      return;
    }
    for (;;) {
      item();
      this.skip();
      const next = this.text[this.offset];
      if (next !== ',' && next !== end) throw new Expected(`, or ${end}`);
      this.offset++;
      if (next === end) return;
      this.skip();
    }
  }

  private string(what: string): string {
    const found = this.take(string);
    if (found === undefined) throw new Expected(what);
    return JSON.parse(found) as string;
  }

  private expect(character: string): void {
    if (this.text[this.offset] !== character) throw new Expected(character);
    this.offset++;
  }

  private skip(): void {
    this.take(blank);
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.offset;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) return undefined;
    this.offset += found.length;
    return found;
  }
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
