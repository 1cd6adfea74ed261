import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { childEnvironment } from '../../../../base/child-environment.js';
import { readWave } from '../../../../rtp/wave.js';
import { RunFailure } from '../../conversation/channel.js';
import type { SpeechOptions, SpeechSynthesis } from './speech.js';

const program = 'espeak-ng';
const speakMilliseconds = 15_000;
/** Ten minutes of its audio; more is no line of a caller. */
const largestOutput = 32 * 1024 * 1024;

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
      throw failureOf(error as NodeJS.ErrnoException);
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
  const voice = await voiceOf(options);
  return new Promise((resolve, reject) => {
    // The text is an input and not an argument: it may begin with a dash.
    const child = spawn(
      program,
      ['-v', voice, '-s', String(Math.round(wordsPerMinute * (options.speed ?? 1))), '--stdin', '--stdout'],
      {
        env: childEnvironment(process.env),
        stdio: ['pipe', 'pipe', 'pipe'],
        signal,
      },
    );
    const chunks: Buffer[] = [];
    let octets = 0;
    let complaint = '';
    child.stdout.on('data', (chunk: Buffer) => {
      octets += chunk.length;
      if (octets > largestOutput) child.kill('SIGKILL');
      else chunks.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      complaint = `${complaint}${chunk}`.slice(0, 200);
    });
    child.stdin.on('error', () => {});
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(chunks));
      else reject(new Error(complaint.trim() || `exited with code ${code}`));
    });
    child.stdin.end(text);
  });
}

function failureOf(error: NodeJS.ErrnoException): RunFailure {
  if (error.code === 'ENOENT') {
    return new RunFailure(
      `No voice: ${program} is not installed on this machine, and no speech service is configured (DEMARC_TTS_URL).`,
    );
  }
  return new RunFailure(`${program} could not speak: ${error.message}.`);
}
