import { z } from 'zod';
import type { EndpointClient } from './endpoint-client.js';

const embeddingsSchema = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1).max(16_000) })),
});

/** 16,000 components of 20 characters are more. */
const maximumOctetsPerText = 384 * 1024;

export interface EmbeddingLimits {
  /** Of one request; default: the endpoint's. */
  readonly timeoutMilliseconds?: number;
  /** After a passing failure; default: the setting's. */
  readonly retries?: number;
}

/** Embeddings of an OpenAI-compatible endpoint. */
export class EmbeddingModel {
  constructor(private readonly client: EndpointClient) {}

  get name(): string {
    return this.client.model;
  }

  /**
   * Vectors of length 1, one for each text in their order. Rejects with a `ModelFailure`; with the signal's reason when it fires.
   */
  async embed(
    texts: readonly string[],
    signal: AbortSignal,
    limits: EmbeddingLimits = {},
  ): Promise<readonly Float32Array[]> {
    const { data } = await this.client.ask(
      {
        path: '/embeddings',
        body: { model: this.client.model, input: texts, encoding_format: 'float' },
        maximumAnswerOctets: maximumOctetsPerText * texts.length,
        signal,
        ...limits,
      },
      embeddingsSchema,
    );
    // Filled, because `some` passes over what was never set.
    const vectors = new Array<Float32Array | undefined>(texts.length).fill(undefined);
    for (const { index, embedding } of data) if (index < texts.length) vectors[index] = unit(embedding);
    const dimensions = vectors[0]?.length;
    if (
      data.length !== texts.length ||
      vectors.some((vector) => vector === undefined || vector.length !== dimensions)
    )
      throw this.client.nonsense(`it has not one vector of one length for each of ${texts.length} texts`);
    return vectors as Float32Array[];
  }
}

/** Zero stays zero. */
function unit(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector) || 1;
  return Float32Array.from(vector, (component) => component / length);
}
