import { createSocket } from 'node:dgram';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pause, until } from '../../../src/testkit/waiting.js';
import { freePort } from '../../support/free-ports.js';
import { TestProcess } from '../../support/processes.js';
import { hepPacket } from '../../unit/edge/trace/hep-packet.js';

/** One HEP3 packet as Kamailio read it. */
export interface Decoded {
  readonly type: number;
  readonly correlationId: string;
  readonly captureId: string;
  readonly key: string;
  /** Of the captured message. */
  readonly sourcePort: number;
  readonly destinationPort: number;
  /** Empty for IPv6. */
  readonly sourceAddress: string;
  readonly seconds: number;
  readonly payload: string;
}

const fields = ['0x00b', '0x011', '0x00c', '0x00e', '0x007', '0x008', '0x003', '0x009'];

/** Kamailio's `sipcapture`, the collector of earlier Homers: a decoder of HEP3 that is not ours. Over UDP. */
export class HomerDecoder {
  private constructor(
    private readonly process: TestProcess,
    private readonly directory: string,
    readonly port: number,
  ) {}

  static async start(): Promise<HomerDecoder> {
    const directory = mkdtempSync(join(tmpdir(), 'demarc-homer-'));
    const run = join(directory, 'run');
    mkdirSync(run);
    mkdirSync(join(directory, 'db'));
    const port = await freePort();
    writeFileSync(join(directory, 'kamailio.cfg'), configuration(directory, port));
    const process = new TestProcess('kamailio', [
      ...['-f', join(directory, 'kamailio.cfg'), '-w', directory, '-DD', '-E', '-m', '64', '-M', '8'],
      ...['-Y', run, '-P', join(run, 'kamailio.pid')],
    ]);
    const decoder = new HomerDecoder(process, directory, port);
    const probe = createSocket('udp4');
    await until(
      async () => {
        if (!process.isRunning) throw new Error(`Kamailio ended:\n${process.output.slice(-3_000)}`);
        probe.send(hepPacket({ payload: 'probe', protocolType: 100 }), port, '127.0.0.1');
        await pause(50);
        return decoder.packets().length > 0;
      },
      10_000,
      () => `Kamailio decodes:\n${process.output.slice(-3_000)}`,
    );
    probe.close();
    return decoder;
  }

  /** Everything that it has read, in the order in which it came. */
  packets(): Decoded[] {
    return [...this.process.output.matchAll(/^.*HEP3\|(.*)\|END$/gm)].map((match) => {
      const [
        type,
        correlationId,
        captureId,
        key,
        sourcePort,
        destinationPort,
        sourceAddress,
        seconds,
        payload,
      ] = match[1]!.split('|');
      return {
        type: Number(type),
        correlationId: correlationId!,
        captureId: captureId!,
        key: key!,
        sourcePort: Number(sourcePort),
        destinationPort: Number(destinationPort),
        sourceAddress: sourceAddress!,
        seconds: Number(seconds),
        payload: Buffer.from(payload!, 'hex').toString('utf8'),
      };
    });
  }

  async stop(): Promise<void> {
    await this.process.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

const configuration = (directory: string, port: number): string => `#!KAMAILIO
debug=1
log_stderror=yes
children=1
disable_tcp=yes
auto_aliases=no
listen=udp:127.0.0.1:${port}
mpath="/usr/lib/x86_64-linux-gnu/kamailio/modules/:/usr/lib/aarch64-linux-gnu/kamailio/modules/:/usr/lib64/kamailio/modules/"
loadmodule "pv.so"
loadmodule "xlog.so"
loadmodule "db_text.so"
loadmodule "sipcapture.so"
modparam("xlog", "buf_size", 65536)
modparam("sipcapture", "db_url", "text://${directory}/db")
modparam("sipcapture", "capture_on", 1)
modparam("sipcapture", "hep_capture_on", 1)
modparam("sipcapture", "nonsip_hook", 1)
request_route { drop; }
onreply_route { drop; }
event_route[sipcapture:request] {
  $var(payload) = $hep(0x00f);
  xlog("L_ALERT", "HEP3|${fields.map((field) => `$hep(${field})`).join('|')}|$(var(payload){s.encode.hexa})|END\\n");
}
`;
