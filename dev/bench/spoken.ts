import { execFileSync } from 'node:child_process';
import { readWave } from '../../src/rtp/wave.js';
import { findBinary } from '../setup/system-packages.mjs';

/**
 * The text as espeak-ng says it, at 8,000 Hz.
 * @param option that requires it
 * @throws Error with a text for the terminal
 */
export function spoken(text: string, option: string): Int16Array {
  const espeak = findBinary('espeak-ng');
  if (espeak === undefined) throw new Error(`${option} requires espeak-ng, whose speech the calls carry`);
  const samples = readWave(execFileSync(espeak, ['--stdout', text], { maxBuffer: 64 * 1024 * 1024 }));
  if (samples === undefined) throw new Error('espeak-ng wrote no WAV file.');
  return samples;
}
