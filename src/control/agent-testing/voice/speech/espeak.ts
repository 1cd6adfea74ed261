import { spawn } from 'node:child_process';
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

function run(text: string, { language, voice }: SpeechOptions, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The text is an input and not an argument: it may begin with a dash.
    const child = spawn(
      program,
      ['-v', voice ?? language.toLowerCase(), '-s', '160', '--stdin', '--stdout'],
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
