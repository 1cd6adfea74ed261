/** RIFF/WAVE with G.711 μ-law at 8000 Hz in two channels: the caller left, the agent right. */

const muLaw = 7;
const channels = 2;
export const stereoOctetsPerSecond = 16_000;
export const stereoHeaderLength = 58;
/** Of a stream: until it ends. */
const unknownLength = 0xffff_ffff;

/** The header of a file with so many octets of sound; without a number, of a stream that ends with its connection. */
export function stereoHeader(octets?: number): Buffer {
  const header = Buffer.alloc(stereoHeaderLength);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(octets === undefined ? unknownLength : stereoHeaderLength - 8 + octets, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(18, 16);
  header.writeUInt16LE(muLaw, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(stereoOctetsPerSecond / channels, 24);
  header.writeUInt32LE(stereoOctetsPerSecond, 28);
  header.writeUInt16LE(channels, 32);
  header.writeUInt16LE(8, 34);
  header.write('fact', 38, 'latin1');
  header.writeUInt32LE(4, 42);
  header.writeUInt32LE(octets === undefined ? unknownLength : octets / channels, 46);
  header.write('data', 50, 'latin1');
  header.writeUInt32LE(octets ?? unknownLength, 54);
  return header;
}
