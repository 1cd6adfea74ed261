import { createSocket } from 'node:dgram';
import { availableParallelism } from 'node:os';
import { type Part, type PartContext, until } from '../part.js';
import { optionsOfRelease, releaseOf } from './rtpengine-release.js';

export interface RtpengineFacts {
  /** `address:port` of its NG protocol (UDP). */
  readonly ng: string;
}

/** A ping takes a millisecond; five failures in a row detect a hang within 5 to 10 s. */
const pingMilliseconds = 900;

/** rtpengine without kernel module: media between the trunk's SRTP and the agent's RTP. */
export async function rtpenginePart({ settings, facts }: PartContext): Promise<Part<RtpengineFacts>> {
  const port = await facts.port('rtpengine');
  const { mediaAddress, publicMediaAddress, rtpPorts } = settings;
  const release = await releaseOf('rtpengine');
  const advertised = publicMediaAddress === mediaAddress ? '' : `!${publicMediaAddress}`;
  return {
    facts: { ng: `127.0.0.1:${port}` },
    plan: {
      name: 'rtpengine',
      file: 'rtpengine',
      args: [
        // Otherwise rtpengine also reads the packaged /etc/rtpengine/rtpengine.conf, which adds listeners.
        '--config-file=none',
        '--foreground',
        '--log-stderr',
        '--log-level=5',
        // Its warnings quote the whole command, SRTP keys included; the edge logs the reason without the command.
        '--log-level-control=3',
        '--table=-1',
        `--interface=${mediaAddress}${advertised}`,
        `--listen-ng=127.0.0.1:${port}`,
        `--port-min=${rtpPorts.low}`,
        `--port-max=${rtpPorts.high}`,
        // Expedited forwarding (RFC 3246), the usual DSCP for voice.
        '--tos=184',
        // The edge ends silent calls; by default rtpengine would delete sessions after 60 s, which a longer setting allows.
        `--timeout=${settings.rtpengineTimeoutSeconds}`,
        // Longer than any call rings; by default rtpengine would keep the ports of a call whose edge died during call setup for an hour.
        '--offer-timeout=600',
        // Computes the MOS from the first report on; otherwise only when the round trip to both ends is known.
        '--mos=LQ',
        // By default at least four, which on one or two cores costs a tenth more.
        `--num-threads=${availableParallelism()}`,
        ...optionsOfRelease(release),
      ],
      isolated: true,
      ready: ({ signal }) => until(() => answersPing('127.0.0.1', port, 300), signal),
      readyWithinMilliseconds: 15_000,
      graceMilliseconds: 3_000,
      limits: {
        isAlive: () => answersPing('127.0.0.1', port, pingMilliseconds),
        // Its main thread only waits for the others.
        threads: 'all',
        maximumMegabytes: settings.rtpengineMegabytes,
      },
    },
  };
}

function answersPing(host: string, port: number, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    const finish = (yes: boolean): void => {
      clearTimeout(timer);
      socket.close();
      resolve(yes);
    };
    const timer = setTimeout(() => finish(false), milliseconds);
    socket.on('error', () => finish(false));
    socket.on('message', (message) => finish(message.includes('4:pong')));
    socket.bind({ address: '127.0.0.1', port: 0 }, () => socket.send('demarc d7:command4:pinge', port, host));
  });
}
