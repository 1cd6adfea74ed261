import {
  type FoundOperation,
  type OpenApiDocument,
  operationsOf,
  type Schema,
} from '../../../../src/control/http/open-api.js';
import { type Amount, AnswerVariant } from './answer-variants.js';

/** Not imported by name: the types of the dashboard would contain all of control. */
const apiDocumentModule = new URL('../../../support/api-document.ts', import.meta.url).href;

/** A request that a page sent. */
export interface Sent {
  readonly operation: string;
  /** Path and query. */
  readonly url: string;
  // biome-ignore lint/suspicious/noExplicitAny: Tests say themselves what they expect of a body.
  readonly body: any;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: The examples have the shapes of all operations.
type Data = any;

/** Answers as JSON, by what they are made of: pages ask for the same ones again and again. */
const variants = new Map<string, string>();

/** Answers each request with the example that the API's description has for it, unless a test says otherwise. */
export class ExampleApi {
  readonly sent: Sent[] = [];
  private readonly changes = new Map<
    string,
    { readonly change: (data: Data) => Data; readonly next: string | null }
  >();
  private readonly refusals = new Map<string, { readonly status: number; readonly error: object }>();

  /** How much the answers hold, where it is not as much as the examples. */
  amount: Amount | undefined;
  /** Of the alternatives in these answers. */
  shift = 0;

  private constructor(
    private readonly operations: readonly FoundOperation[],
    private readonly schemas: Readonly<Record<string, Schema>>,
  ) {}

  static async open(): Promise<ExampleApi> {
    const { apiDocument } = (await import(apiDocumentModule)) as {
      apiDocument: () => Promise<OpenApiDocument>;
    };
    const document = await apiDocument();
    return new ExampleApi(operationsOf(document), document.components.schemas);
  }

  /**
   * @param change of the example's `data`
   * @param next of a list: the cursor of the page after it
   */
  answer(operation: string, change: (data: Data) => Data, next: string | null = null): void {
    this.find(operation);
    this.refusals.delete(operation);
    this.changes.set(operation, { change, next });
  }

  /** @param operation absent: all of them */
  refuse(operation: string | undefined, status: number, error: string, message: string, path?: string): void {
    const fault = { status, error: { error, message, ...(path === undefined ? {} : { path }) } };
    const names =
      operation === undefined
        ? this.operations.map(({ operation: { operationId } }) => operationId!)
        : [operation];
    for (const name of names) this.refusals.set(name, fault);
  }

  refuseChanges(status: number, error: string, message: string): void {
    for (const { method, operation } of this.operations)
      if (method !== 'get') this.refuse(operation.operationId, status, error, message);
  }

  isChange({ operation }: Sent): boolean {
    return this.find(operation).method !== 'get';
  }

  private example(operation: string): { data: Data; next?: string | null; has_more?: boolean } {
    const json = this.find(operation).operation.responses[200]?.content?.['application/json'];
    const value = json?.examples?.example?.value ?? { data: null };
    if (this.amount === undefined || json?.schema === undefined)
      return structuredClone(value) as { data: Data };
    const key = `${operation} ${this.amount} ${this.shift}`;
    const made =
      variants.get(key) ??
      JSON.stringify(new AnswerVariant(this.schemas, this.amount, this.shift).of(json.schema, value));
    variants.set(key, made);
    return JSON.parse(made);
  }

  /** Requests that change something. */
  get changesSent(): readonly Sent[] {
    return this.sent.filter(({ operation }) => this.find(operation).method !== 'get');
  }

  /** In place of the browser's. */
  readonly fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { status, body } = this.reply(init.method ?? 'GET', url, init.body);
    return { ok: status < 300, status, headers: new Headers(), json: async () => body } as Response;
  };

  private reply(method: string, url: string, sent: unknown): Reply {
    const [path = ''] = url.split('?');
    const found = this.operations
      .filter((each) => each.method === method.toLowerCase() && matches(each.path, path))
      // `/calls/batches` before `/calls/{id}`.
      .sort((left, right) => left.path.split('{').length - right.path.split('{').length)[0];
    if (found === undefined) throw new Error(`The API has no ${method} ${path}`);
    const operation = found.operation.operationId!;
    this.sent.push({ operation, url, body: typeof sent === 'string' ? JSON.parse(sent) : sent });
    const refusal = this.refusals.get(operation);
    if (refusal !== undefined)
      return { status: refusal.status, body: { data: null, errors: [refusal.error] } };
    const body = this.example(operation);
    const { change, next } = this.changes.get(operation) ?? {};
    if (change !== undefined) body.data = change(body.data);
    if (next !== undefined && 'next' in body) Object.assign(body, { next, has_more: next !== null });
    return { status: 200, body };
  }

  private find(operation: string): FoundOperation {
    const found = this.operations.find((each) => each.operation.operationId === operation);
    if (found === undefined) throw new Error(`The API has no operation ${operation}`);
    return found;
  }
}

const patterns = new Map<string, RegExp>();

function matches(template: string, path: string): boolean {
  const pattern = patterns.get(template) ?? new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  patterns.set(template, pattern);
  return pattern.test(path);
}
