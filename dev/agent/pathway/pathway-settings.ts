import type { Logger } from '../../../src/base/log.js';
import type { Signing } from '../../../src/bot/index.js';
import { type Environment, readEnvironment, SettingsError } from '../../../src/config/environment.js';
import { modelProblems, modelSettings, modelVariables } from '../../../src/config/model-settings.js';
import { noticeVariables } from '../../../src/config/notice-settings.js';
import { speechVariables, testCallSettings } from '../../../src/config/speech-settings.js';
import { espeak } from '../../../src/control/agent-testing/voice/speech/espeak.js';
import type { SpeechSynthesis } from '../../../src/control/agent-testing/voice/speech/speech.js';
import {
  speechService,
  transcriptionService,
} from '../../../src/control/agent-testing/voice/speech/speech-service.js';
import {
  toneRecognition,
  toneSynthesis,
} from '../../../src/control/agent-testing/voice/speech/tone-speech.js';
import { ChatModel } from '../../../src/control/models/chat-model.js';
import { EndpointClient } from '../../../src/control/models/endpoint-client.js';
import { JsonPoster } from '../../../src/control/models/post-json.js';
import { EgressPolicy } from '../../../src/naming/egress.js';
import { RuleModel } from '../../../src/rule-model/rule-model.js';
import { standInRules } from '../../../src/rule-model/stand-in-rules.js';
import type { PathwayCallDeps } from './pathway-call.js';

const { DEMARC_WEBHOOK_ALLOW_PRIVATE } = noticeVariables;
const variables = { ...modelVariables, ...speechVariables, DEMARC_WEBHOOK_ALLOW_PRIVATE };

/** Sends webhooks that a receiver can tell from those of tests. */
class AgentPoster extends JsonPoster {
  override post(wanted: Parameters<JsonPoster['post']>[0]): ReturnType<JsonPoster['post']> {
    return super.post({ ...wanted, headers: { ...wanted.headers, 'user-agent': 'Demarc-Agent/1' } });
  }
}

/** espeak-ng does not have the voices of services, which a number or persona may name. */
const espeakInAnyVoice: SpeechSynthesis = {
  kind: 'espeak-ng',
  speak: (text, options, signal) =>
    espeak.speak(text, options, signal).catch((error: unknown) => {
      if (signal.aborted || options.voice === undefined) throw error;
      return espeak.speak(text, { ...options, voice: undefined }, signal);
    }),
};

/** The models and voices that the environment names, by the variables of control. Without a language model a stand-in answers by rules. Throws `SettingsError`. */
export async function pathwayServices(
  environment: Environment,
  log: Logger,
): Promise<Pick<PathwayCallDeps, 'model' | 'synthesis' | 'recognition' | 'poster'>> {
  const read = readEnvironment(variables, environment);
  const problems = modelProblems(read);
  if (problems.length > 0) throw new SettingsError(problems);
  const { retries, retryMilliseconds, ...models } = modelSettings(read);
  const { synthesis, recognition, usesTones } = testCallSettings(read);
  let endpoint = models.chat;
  if (endpoint === undefined) {
    const { url } = await RuleModel.start(standInRules);
    log.warn('No language model (DEMARC_LLM_URL): a stand-in answers by rules, and understands nothing.');
    const limits = {
      timeoutMilliseconds: read.DEMARC_LLM_TIMEOUT_MS,
      concurrency: read.DEMARC_LLM_CONCURRENCY,
    };
    endpoint = { url, key: undefined, model: 'stand-in', prices: undefined, ...limits };
  }
  if (usesTones || recognition === undefined)
    log.warn('No transcription (DEMARC_STT_URL): the tone code and keys alone are understood.');
  const poster = new JsonPoster(new EgressPolicy({ allowPrivate: true }));
  const client = {
    what: 'language model',
    setting: 'DEMARC_LLM',
    endpoint,
    poster,
    log,
    retries,
    retryMilliseconds,
  };
  const spoken = synthesis === undefined ? espeakInAnyVoice : speechService(synthesis);
  return {
    model: new ChatModel(new EndpointClient(client), endpoint),
    synthesis: usesTones ? toneSynthesis : spoken,
    recognition: usesTones || recognition === undefined ? toneRecognition : transcriptionService(recognition),
    poster: new AgentPoster(new EgressPolicy({ allowPrivate: read.DEMARC_WEBHOOK_ALLOW_PRIVATE })),
  };
}

/** What handshakes are checked with. @param url as configured for the number; undefined: they are not checked */
export function signingOf(url: string | undefined, environment: Environment): Signing | undefined {
  if (url === undefined) return undefined;
  const secrets = (environment.AGENT_SIGNING_SECRETS ?? '').split(',').filter((secret) => secret !== '');
  if (secrets.length === 0) throw new SettingsError(['AGENT_SIGNING_SECRETS: needed with --signed-url']);
  return { url, secrets };
}
