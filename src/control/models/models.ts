import type { Logger } from '../../base/log.js';
import type { ControlSettings } from '../../config/control-settings.js';
import type { ChatEndpoint } from '../../config/model-settings.js';
import { EgressPolicy } from '../../naming/egress.js';
import { type Chat, ChatModel } from './chat-model.js';
import { EmbeddingModel } from './embedding-model.js';
import { EndpointClient } from './endpoint-client.js';
import { JsonPoster } from './post-json.js';

export interface Models {
  /** Undefined: none is configured. */
  readonly chat: Chat | undefined;
  /** Judges tests: a separate model, or `chat`; undefined: none is configured. */
  readonly judge: Chat | undefined;
  /** Whether `chat` is the stand-in that answers by rules, which understands nothing. */
  readonly isStandIn: boolean;
  readonly embeddings: EmbeddingModel | undefined;
}

/** The models that the settings name. Their URLs are the operator's, who may run them on a private network. */
export function modelsOf({ models, http }: ControlSettings, log: Logger): Models {
  const ownListener = { protocol: 'tcp', host: http.host, port: http.port } as const;
  const poster = new JsonPoster(new EgressPolicy({ allowPrivate: true, ownListeners: () => [ownListener] }));
  const { retries, retryMilliseconds } = models;
  const common = { poster, retries, retryMilliseconds, log };
  const chatModel = (what: string, setting: string, endpoint: ChatEndpoint): ChatModel =>
    new ChatModel(new EndpointClient({ ...common, what, setting, endpoint }), endpoint);
  const chat = models.chat && chatModel('language model', 'DEMARC_LLM', models.chat);
  return {
    chat,
    judge: models.judge === undefined ? chat : chatModel('judging model', 'DEMARC_JUDGE', models.judge),
    isStandIn: models.isStandIn,
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
