/** RIFF/WAVE with G.711 μ-law at 8000 Hz: the caller left, the agent right. */

const muLaw = 7;
const channels = 2;
export const octetsPerSecond = 16_000;
export const recordingHeaderLength = 58;

/** The header of a file with so many octets of sound. */
export function recordingHeader(octets: number): Buffer {
  const header = Buffer.alloc(recordingHeaderLength);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(recordingHeaderLength - 8 + octets, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(18, 16);
  header.writeUInt16LE(muLaw, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(octetsPerSecond / channels, 24);
  header.writeUInt32LE(octetsPerSecond, 28);
  header.writeUInt16LE(channels, 32);
  header.writeUInt16LE(8, 34);
  header.write('fact', 38, 'latin1');
  header.writeUInt32LE(4, 42);
  header.writeUInt32LE(octets / channels, 46);
  header.write('data', 50, 'latin1');
  header.writeUInt32LE(octets, 54);
  return header;
}
