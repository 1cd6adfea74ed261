import type { Area } from '../area.js';
import { learnQueue } from './learn-queue.js';
import { LearnWork } from './learn-work.js';
import { knowledgeRoutes } from './routes.js';
import { KnowledgeSearch } from './search.js';
import { knowledgeSearchRoutes } from './search-routes.js';

export { knowledgeBaseIds } from './bases.js';
export { KnowledgeSearch } from './search.js';

/** Knowledge bases: `/v1/knowledge`. */
export const knowledgeArea: Area = {
  name: 'knowledge',
  create: ({ settings, database, models, log }) => {
    const { embeddings } = models;
    // The stand-in understands nothing: passages alone say more than its answers.
    const chat = models.isStandIn ? undefined : models.chat;
    const queue = learnQueue({
      database,
      redisUrl: settings.redis.url,
      work: new LearnWork({ database, settings, embeddings, log }),
      workers: settings.knowledge.workers,
      log,
    });
    const search = new KnowledgeSearch({ database, settings, embeddings });
    return {
      accountRoutes: (server, given) => {
        const deps = { ...given, wake: () => queue.wake(), search, chat };
        knowledgeRoutes(server, deps);
        knowledgeSearchRoutes(server, deps);
      },
      services: [queue],
    };
  },
};
