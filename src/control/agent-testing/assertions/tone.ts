import { z } from 'zod';
import type { Evidence } from '../conversation/evidence.js';
import type { MeteredModel } from '../conversation/metered-model.js';
import { type ServiceToneScore, serviceToneScoreSchema } from '../schemas/run.js';
import { quotedConversation } from './quoted-conversation.js';

/** Without its name in the API's description, which would make the schema of the request a reference. */
const answerSchema = z.strictObject(serviceToneScoreSchema.shape);

const instructions = `You rate how natural a telephone agent sounds, as an experienced trainer of call centers. Rate only the lines of the agent. Each dimension is a number from 0 (poor) to 1 (as a skilled person):
naturalness: sounds like a person, not like a form; conciseness: no longer than a listener can follow; empathy: responds to what the caller feels; flow_preservation: no abrupt breaks, no repetition of questions; back_channeling: shows that it listens, with short confirmations where they fit; topic_transitions: changes the topic smoothly; overall_tone_score: all together. issues: what sounded unnatural, each in one sentence. examples: lines with their turn, the dimension as category, the quoted text, and sentiment positive or negative.`;

/** Rates the tone of the agent. Rejects with a `ModelFailure`, also for an unusable answer. */
export async function scoreTone(
  model: MeteredModel,
  evidence: Evidence,
  signal: AbortSignal,
): Promise<ServiceToneScore> {
  const { rules, quoted } = quotedConversation(evidence);
  return model.answer(
    {
      messages: [
        { role: 'system', content: `${instructions}\n\n${rules}\n\nAnswer with JSON.` },
        { role: 'user', content: `Rate the tone of the agent.\n\n${quoted}` },
      ],
      temperature: 0,
    },
    'service_tone',
    answerSchema,
    signal,
  );
}
