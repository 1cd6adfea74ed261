import { z } from 'zod';
import { RunFailure } from '../../../src/control/agent-testing/conversation/channel.js';
import { type PathwayDocument, pathwayDocumentSchema } from '../../../src/control/pathways/index.js';

const versionSchema = z.object({ data: z.object({ document: pathwayDocumentSchema }) });
const passagesSchema = z.object({
  data: z.object({
    results: z.array(z.object({ content: z.string(), metadata: z.object({ heading: z.string() }) })),
  }),
});
const answerMilliseconds = 5_000;
const passagesPerTurn = 5;

/** What the agent of a call reads from the API, with the token of the call. Its methods reject with `RunFailure`. */
export class CallApi {
  constructor(
    /** Base URL. */
    private readonly url: string,
    private readonly token: string,
    private readonly signal: AbortSignal,
  ) {}

  async pathway(id: string, version: string): Promise<PathwayDocument> {
    const path = `/v1/pathways/${encodeURIComponent(id)}/versions/${encodeURIComponent(version)}`;
    return (await this.ask(path, versionSchema)).data.document;
  }

  /** Passages that answer a question, as text; empty: none. */
  async knowledgeOn(ids: readonly string[], question: string): Promise<string> {
    const body = { query: question, knowledge_base_ids: ids, limit: passagesPerTurn };
    const { data } = await this.ask('/v1/knowledge/search', passagesSchema, body);
    return data.results.map(({ content, metadata }) => `${metadata.heading}\n${content}`.trim()).join('\n\n');
  }

  private async ask<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    body?: object,
  ): Promise<z.output<Schema>> {
    const response = await fetch(new URL(path, this.url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'x-demarc-token': this.token,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([this.signal, AbortSignal.timeout(answerMilliseconds)]),
    }).catch((error: unknown) => {
      this.signal.throwIfAborted();
      const { cause, name } = error as { cause?: { code?: string }; name: string };
      throw new RunFailure(`The API at ${this.url} is unreachable (${cause?.code ?? name}).`, {
        cause: error,
      });
    });
    if (!response.ok) throw new RunFailure(`The API answered ${response.status} to ${path}.`);
    const read = schema.safeParse(await response.json());
    if (!read.success) throw new RunFailure(`The API gave an unusable answer to ${path}.`);
    return read.data;
  }
}
