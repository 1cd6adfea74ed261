import { type Evidence, hidesTools } from '../conversation/evidence.js';
import type { WholeRun } from './run-storage.js';

/** What the conversation of a stored run left behind. */
export const storedEvidence = (
  { run, conversation }: Pick<WholeRun, 'run' | 'conversation'>,
  scenario: Parameters<typeof hidesTools>[1],
): Evidence => ({
  chat: conversation.chat_history,
  variables: conversation.variables,
  nodesVisited: run.nodes_visited,
  nodeNames: conversation.node_names,
  webhooks: conversation.webhooks,
  details: conversation.turn_details,
  ending: conversation.ending,
  tone: conversation.service_tone,
  voice: conversation.voice,
  isCalled: run.channel === 'voice',
  hidesTools: hidesTools(run.channel, scenario),
});
