import { spawn } from 'node:child_process';
import { childEnvironment } from '../../../../base/child-environment.js';
import { RunFailure } from '../../conversation/channel.js';

export const speakMilliseconds = 15_000;
/** Ten minutes of audio at 24 kHz; more is no line of a caller. */
const largestOutput = 32 * 1024 * 1024;

/**
 * What a program writes that speaks. Rejects with its complaint when it fails, and with the signal's reason when it fires.
 * @param text its input: as an argument it could begin with a dash
 */
export function runSpeechProgram(
  program: string,
  parameters: readonly string[],
  text: string,
  signal: AbortSignal,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, {
      env: childEnvironment(process.env),
      stdio: ['pipe', 'pipe', 'pipe'],
      signal,
    });
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

/** @param remedy in place of the program */
export function programFailure(program: string, error: NodeJS.ErrnoException, remedy: string): RunFailure {
  if (error instanceof RunFailure) return error;
  if (error.code === 'ENOENT')
    return new RunFailure(`No voice: ${program} is not installed on this machine. ${remedy}`);
  return new RunFailure(`${program} could not speak: ${error.message}.`);
}
