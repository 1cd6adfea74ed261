import type { Logger } from '../../base/log.js';
import type { ControlSettings } from '../../config/control-settings.js';
import { EgressPolicy } from '../../naming/egress.js';
import { ChatModel } from './chat-model.js';
import { EmbeddingModel } from './embedding-model.js';
import { EndpointClient } from './endpoint-client.js';
import { JsonPoster } from './post-json.js';

export interface Models {
  /** Undefined: none is configured. */
  readonly chat: ChatModel | undefined;
  readonly embeddings: EmbeddingModel | undefined;
}

/** The models that the settings name. Their URLs are the operator's, who may run them on a private network. */
export function modelsOf({ models, http }: ControlSettings, log: Logger): Models {
  const ownListener = { protocol: 'tcp', host: http.host, port: http.port } as const;
  const poster = new JsonPoster(new EgressPolicy({ allowPrivate: true, ownListeners: () => [ownListener] }));
  const { retries, retryMilliseconds } = models;
  const common = { poster, retries, retryMilliseconds, log };
  return {
    chat:
      models.chat &&
      new ChatModel(
        new EndpointClient({
          ...common,
          what: 'language model',
          setting: 'DEMARC_LLM',
          endpoint: models.chat,
        }),
        models.chat,
      ),
    embeddings:
      models.embeddings &&
      new EmbeddingModel(
        new EndpointClient({
          ...common,
          what: 'embeddings endpoint',
          setting: 'DEMARC_EMBEDDINGS',
          endpoint: models.embeddings,
        }),
      ),
  };
}
