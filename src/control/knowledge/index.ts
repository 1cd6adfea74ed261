import type { Area } from '../area.js';
import { workerFile } from '../workers/worker-pool.js';
import { learnQueue } from './learn-queue.js';
import { type LearnDeps, LearnWork } from './learn-work.js';
import type { ReadText } from './read-text.js';
import { knowledgeRoutes } from './routes.js';
import { KnowledgeSearch } from './search.js';
import { knowledgeSearchRoutes } from './search-routes.js';

export { knowledgeBaseIds } from './bases.js';
export { readPassages } from './read-passages.js';
export { namesKnowledge, type References, readKnowledge } from './references.js';
export { KnowledgeSearch } from './search.js';

const textWorker = workerFile<string, ReadText>('./read-text-worker', import.meta.url);

/** Knowledge bases: `/v1/knowledge`. */
export const knowledgeArea: Area = {
  name: 'knowledge',
  create: ({ settings, database, models, workers, log }) => {
    const { embeddings } = models;
    // The stand-in understands nothing: passages alone say more than its answers.
    const chat = models.isStandIn ? undefined : models.chat;
    const readText: LearnDeps['readText'] = (organizationId, text, signal) =>
      workers.run(textWorker, organizationId, text, signal);
    const queue = learnQueue({
      database,
      redisServers: settings.redis,
      work: new LearnWork({ database, settings, embeddings, readText, log }),
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
