import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../../../../base/child-environment.js';
import { readWave } from '../../../../rtp/wave.js';
import { RunFailure } from '../../conversation/channel.js';
import type { SpeechOptions, SpeechSynthesis } from './speech.js';
import { programFailure, runSpeechProgram, speakMilliseconds } from './speech-program.js';

const program = 'flite';
/** What names of its voices begin with: `flite-slt`. */
const prefix = 'flite-';

export const isFliteVoice = (voice: string | undefined): boolean => voice?.startsWith(prefix) === true;

/** flite as a program: recorded voices of people who speak English, offline. */
export const flite: SpeechSynthesis = {
  kind: 'flite',
  async speak(text, options, signal) {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(speakMilliseconds)]);
    const file = await run(text, options, limited).catch((error: unknown) => {
      signal.throwIfAborted();
      throw programFailure(
        program,
        error as NodeJS.ErrnoException,
        'Install it (apt-get install flite), or choose another voice.',
      );
    });
    const samples = readWave(file);
    if (samples === undefined || samples.length === 0) throw new RunFailure(`${program} wrote no audio.`);
    return samples;
  },
};

let voices: Promise<ReadonlySet<string>> | undefined;

/** `Voices available: kal awb rms slt`; without a check, flite takes its default for a voice that it does not have. */
async function readVoices(): Promise<ReadonlySet<string>> {
  const { stdout } = await promisify(execFile)(program, ['-lv'], {
    env: childEnvironment(process.env),
    timeout: speakMilliseconds,
  });
  return new Set(
    stdout
      .slice(stdout.indexOf(':') + 1)
      .split(/\s+/)
      .filter((name) => name !== ''),
  );
}

async function voiceOf({ language, voice = '' }: SpeechOptions): Promise<string> {
  if (!/^en(-|$)/i.test(language))
    throw new RunFailure(`${program} speaks English only, and the language of the caller is ${language}.`);
  voices ??= readVoices().catch((error: unknown) => {
    voices = undefined;
    throw error;
  });
  const known = await voices;
  const name = voice.slice(prefix.length);
  if (known.has(name)) return name;
  const names = [...known].map((own) => `${prefix}${own}`).join(', ');
  throw new RunFailure(`${program} has no voice ${voice}. Its voices: ${names}.`);
}

/** It reads its text from a file, as text in an argument shows in the list of processes, and writes audio into a file only. */
async function run(text: string, options: SpeechOptions, signal: AbortSignal): Promise<Buffer> {
  const voice = await voiceOf(options);
  const folder = await mkdtemp(join(tmpdir(), 'demarc-flite-'));
  try {
    const [input, file] = [join(folder, 'line.txt'), join(folder, 'line.wav')];
    await writeFile(input, asciiOf(text));
    const stretch = (1 / (options.speed ?? 1)).toFixed(3);
    const parameters = ['-voice', voice, '--setf', `duration_stretch=${stretch}`, '-f', input, '-o', file];
    await runSpeechProgram(program, parameters, '', signal);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** It skips other letters: those without their accents are closer to what is meant. */
const asciiOf = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '');
