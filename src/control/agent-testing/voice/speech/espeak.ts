import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { childEnvironment } from '../../../../base/child-environment.js';
import { readWave } from '../../../../rtp/wave.js';
import { RunFailure } from '../../conversation/channel.js';
import type { SpeechOptions, SpeechSynthesis } from './speech.js';
import { programFailure, runSpeechProgram, speakMilliseconds } from './speech-program.js';

const program = 'espeak-ng';

/** espeak-ng as a program: formant synthesis for a hundred languages, offline. */
export const espeak: SpeechSynthesis = {
  kind: 'espeak-ng',
  async speak(text, options, signal) {
    const file = await run(
      text,
      options,
      AbortSignal.any([signal, AbortSignal.timeout(speakMilliseconds)]),
    ).catch((error: unknown) => {
      signal.throwIfAborted();
      throw programFailure(
        program,
        error as NodeJS.ErrnoException,
        'Install it, or configure a speech service (DEMARC_TTS_URL).',
      );
    });
    const samples = readWave(file);
    if (samples === undefined) throw new RunFailure(`${program} wrote no audio.`);
    return samples;
  },
};

/** Words a minute at the usual speed. */
const wordsPerMinute = 160;

let voiceFiles: Promise<ReadonlySet<string>> | undefined;

/** Names of the voices that are files: espeak-ng ignores a variant of any other name of a voice, such as de-DE. */
async function readVoiceFiles(): Promise<ReadonlySet<string>> {
  const { stdout } = await promisify(execFile)(program, ['--voices'], {
    env: childEnvironment(process.env),
    timeout: speakMilliseconds,
  });
  const files = [...stdout.matchAll(/ [a-z]+\/([A-Za-z0-9-]+) /g)];
  return new Set(files.map(([, name]) => name!.toLowerCase()));
}

/** A named voice, or a variant (`+f3`) of the language. */
async function voiceOf({ language, voice }: SpeechOptions): Promise<string> {
  const own = language.toLowerCase();
  if (voice === undefined) return own;
  if (!voice.startsWith('+')) return voice;
  voiceFiles ??= readVoiceFiles().catch((error: unknown) => {
    voiceFiles = undefined;
    throw error;
  });
  const files = await voiceFiles;
  let name = own;
  while (!files.has(name) && name.includes('-')) name = name.slice(0, name.lastIndexOf('-'));
  return `${name}${voice}`;
}

async function run(text: string, options: SpeechOptions, signal: AbortSignal): Promise<Buffer> {
  const speed = String(Math.round(wordsPerMinute * (options.speed ?? 1)));
  const parameters = ['-v', await voiceOf(options), '-s', speed, '--stdin', '--stdout'];
  return runSpeechProgram(program, parameters, text, signal);
}
