import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { fillSchema } from './fill-schema.js';
import { hashedEmbedding } from './hashed-embedding.js';
import { answerOf, type Match, matchRule, type Rule, type Rules, rulesSchema } from './rules.js';

const chatSchema = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  response_format: z.object({ json_schema: z.object({ schema: z.unknown() }) }).optional(),
});
const embeddingsSchema = z.object({
  model: z.string(),
  input: z.union([z.string().transform((text) => [text]), z.array(z.string())]),
});

const maximumBodyOctets = 32 * 1024 * 1024;

/** One request as it arrived, for tests that look at what was sent. */
export interface RecordedRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: The reader knows what was sent.
  readonly body: any;
}

export interface RuleModelOptions {
  readonly host?: string;
  /** 0: any free one. */
  readonly port?: number;
  /** The key that requests must carry; absent: any or none. */
  readonly key?: string;
}

/**
 * A stand-in for an OpenAI-compatible endpoint: chat completions answered by rules, and embeddings computed from hashed words.
 * It produces every case that a client must handle (latency, 429, garbage, refusal, hang); it understands nothing.
 */
export class RuleModel {
  /** The last 1,000, oldest first. */
  readonly requests: RecordedRequest[] = [];
  private rules: Rules;
  private uses = new Map<Rule, number>();
  private readonly closing = new AbortController();

  private constructor(
    private readonly server: Server,
    rules: Rules,
    private readonly key: string | undefined,
  ) {
    this.rules = rules;
    server.on('request', (request, response) => {
      this.handle(request, response).catch(() => response.destroy());
    });
  }

  /** @param rules as in the file (`rulesSchema`); throws `ZodError` */
  static async start(rules: z.input<typeof rulesSchema>, options: RuleModelOptions = {}): Promise<RuleModel> {
    const model = new RuleModel(createServer(), rulesSchema.parse(rules), options.key);
    await new Promise<void>((resolve, reject) => {
      model.server.once('error', reject);
      model.server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve);
    });
    return model;
  }

  /** For DEMARC_LLM_URL and DEMARC_EMBEDDINGS_URL. */
  get url(): string {
    const { address, port } = this.server.address() as AddressInfo;
    return `http://${address}:${port}/v1`;
  }

  /** Replaces the rules and resets their counts of uses. */
  setRules(rules: z.input<typeof rulesSchema>): void {
    this.rules = rulesSchema.parse(rules);
    this.uses = new Map();
  }

  async stop(): Promise<void> {
    this.closing.abort();
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization } = request.headers;
    const body = await readJson(request);
    const path = (request.url ?? '').split('?', 1)[0]!;
    this.requests.push({ path, authorization, body });
    if (this.requests.length > 1_000) this.requests.shift();
    if (this.key !== undefined && authorization !== `Bearer ${this.key}`)
      return fail(response, 401, `Incorrect API key provided: ${authorization ?? 'none'}`);
    if (request.method !== 'POST') return fail(response, 405, 'Only POST is allowed');
    if (path === '/v1/chat/completions') return this.chat(body, response);
    if (path === '/v1/embeddings') return this.embed(body, response);
    return fail(response, 404, `Unknown path ${path}`);
  }

  private async chat(body: unknown, response: ServerResponse): Promise<void> {
    const read = chatSchema.safeParse(body);
    if (!read.success) return fail(response, 400, z.prettifyError(read.error));
    const match = matchRule(this.rules.rules, read.data, this.uses);
    if (match === undefined) return fail(response, 400, 'No rule matches this conversation');
    const { rule } = match;
    await sleep(rule.latency_ms ?? 0, undefined, { signal: this.closing.signal });
    if (rule.hang === true) return;
    if (rule.retry_after !== undefined) response.setHeader('retry-after', String(rule.retry_after));
    if (rule.status !== undefined) return fail(response, rule.status, 'As the rules say');
    if (rule.garbage === 'text') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>');
      return;
    }
    send(response, 200, rule.garbage === 'json' ? { unexpected: true } : completion(read.data, match));
  }

  private async embed(body: unknown, response: ServerResponse): Promise<void> {
    const read = embeddingsSchema.safeParse(body);
    if (!read.success) return fail(response, 400, z.prettifyError(read.error));
    await sleep(this.rules.embedding_latency_ms, undefined, { signal: this.closing.signal });
    const failure = this.rules.embedding_failures.shift();
    if (failure !== undefined) return fail(response, failure, 'As the rules say');
    const { input, model } = read.data;
    const { dimensions } = this.rules;
    send(response, 200, {
      object: 'list',
      model,
      data: input.map((text, index) => ({
        object: 'embedding',
        index,
        embedding: hashedEmbedding(text, dimensions),
      })),
      usage: { prompt_tokens: input.reduce((sum, text) => sum + tokens(text), 0) },
    });
  }
}

function completion(
  { model, messages, response_format: format }: z.output<typeof chatSchema>,
  match: Match,
): Readonly<Record<string, unknown>> {
  const { refusal, fill, answer } = match.rule;
  const filled = (): string =>
    JSON.stringify(
      fillSchema(format?.json_schema.schema, answer === undefined ? {} : JSON.parse(answerOf(match))),
    );
  const content = refusal !== undefined ? null : fill === true ? filled() : answerOf(match);
  return {
    id: 'chatcmpl-rule',
    object: 'chat.completion',
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, ...(refusal === undefined ? {} : { refusal }) },
        finish_reason: 'stop',
      },
    ],
    usage: {
      prompt_tokens: messages.reduce((sum, message) => sum + tokens(message.content), 0),
      completion_tokens: tokens(content ?? refusal ?? ''),
    },
  };
}

/** About as many as a model's tokenizer would count in English. */
const tokens = (text: string): number => Math.ceil(text.length / 4);

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let octets = 0;
  for await (const chunk of request) {
    octets += (chunk as Buffer).length;
    if (octets > maximumBodyOctets) throw new Error('too large');
    chunks.push(chunk as Buffer);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const fail = (response: ServerResponse, status: number, message: string): void =>
  send(response, status, { error: { message, type: 'stand_in', code: null } });
