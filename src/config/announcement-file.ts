import { readFileSync } from 'node:fs';

/** rtpengine gets an announcement in one UDP datagram of 65,507 octets, with the command around it. */
const maximumOctets = 60_000;

/** What is wrong with an announcement's file; undefined: nothing. */
export function announcementProblem(path: string): string | undefined {
  let wav: Buffer;
  try {
    wav = readFileSync(path);
  } catch (error) {
    return `${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`;
  }
  if (wav.toString('latin1', 0, 4) !== 'RIFF' || wav.toString('latin1', 8, 12) !== 'WAVE') {
    return `${path} is not a WAV file`;
  }
  return wav.length > maximumOctets
    ? `${path} has ${wav.length} octets, ${maximumOctets} at most: 7 s as 8 kHz G.711, 3.7 s as 8 kHz PCM`
    : undefined;
}
