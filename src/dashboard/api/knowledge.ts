import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';

export type KnowledgeBase = api.KnowledgeBase;
export type KnowledgePassage = api.KnowledgePassage;
export type KnowledgeFound = api.SearchKnowledgeAnswer['data'];

/** The newest hundred, and how many there are. */
export const readKnowledge = (signal?: AbortSignal): Promise<api.ListKnowledgeAnswer['data']> =>
  ask(demarc.listKnowledge({ limit: 100 }, { signal }));

export const learningOf =
  (body: api.LearnKnowledgeBody): ApiRequest<KnowledgeBase> =>
  (client) =>
    client.learnKnowledge(body);

export const deleteKnowledge = (id: string): Promise<unknown> => ask(demarc.deleteKnowledge({ id }));

/** @param id only in this knowledge base; undefined: in all */
export const searchOf =
  (query: string, id: string | undefined): ApiRequest<KnowledgeFound> =>
  (client) =>
    client.searchKnowledge({
      query,
      limit: 5,
      ...(id === undefined ? {} : { knowledge_base_ids: [id] }),
    });

export const renamingOf =
  (id: string, name: string, description: string): ApiRequest<KnowledgeBase> =>
  (client) =>
    client.updateKnowledge({ id }, { name, description: description === '' ? null : description });

export type KnowledgeAnswer = api.ChatWithKnowledgeAnswer['data'];

/** Has the language model answer from one knowledge base alone. */
export const answerOf =
  (knowledge_base_id: string, question: string): ApiRequest<KnowledgeAnswer> =>
  (client) =>
    client.chatWithKnowledge({ knowledge_base_id, messages: [{ role: 'user', content: question }] });
