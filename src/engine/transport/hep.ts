import { HepEncoder, type HepEncoderSettings } from '../../hep/encoder.js';
import { ipProtocol, payloadType } from '../../hep/format.js';
import { findCallId } from '../../sip/call-id.js';
import type { Flow } from './flow.js';
import { DatagramSink, type HepSink, StreamSink } from './hep-sink.js';
import type { WireObserver } from './observer.js';

export interface HepSettings extends HepEncoderSettings {
  /** UDP when absent, as most collectors expect it. */
  readonly transport?: 'udp' | 'tcp';
  /** The collector; a host name is resolved once, at the start. */
  readonly host: string;
  readonly port: number;
}

const ipProtocols = { udp: ipProtocol.udp, tcp: ipProtocol.tcp, tls: ipProtocol.tcp } as const;

/** Sends every SIP message of the wire to a HEP3 collector (Homer; our own edge). Never waits, never fails a call. */
export class HepExporter implements WireObserver {
  readonly counters = { sent: 0, dropped: 0, errors: 0 };
  private readonly sink: HepSink;
  private readonly encoder: HepEncoder;

  constructor(settings: HepSettings) {
    this.encoder = new HepEncoder(settings);
    const failed = (): void => {
      this.counters.errors++;
    };
    this.sink =
      settings.transport === 'tcp' ? new StreamSink(settings, failed) : new DatagramSink(settings, failed);
  }

  /** Rejects when the host cannot be resolved (UDP). Messages before that are counted as dropped. */
  start(): Promise<void> {
    return this.sink.start();
  }

  stop(): Promise<void> {
    return this.sink.stop();
  }

  sent(flow: Flow, bytes: string | Buffer, at: number): void {
    this.export(flow.localAddress, flow.localPort, flow.remoteAddress, flow.remotePort, flow, bytes, at);
  }

  received(flow: Flow, bytes: Buffer, at: number): void {
    this.export(flow.remoteAddress, flow.remotePort, flow.localAddress, flow.localPort, flow, bytes, at);
  }

  private export(
    sourceAddress: string,
    sourcePort: number,
    destinationAddress: string,
    destinationPort: number,
    flow: Flow,
    bytes: string | Buffer,
    at: number,
  ): void {
    const packet = this.encoder.encode({
      ipProtocol: ipProtocols[flow.protocol],
      sourceAddress,
      sourcePort,
      destinationAddress,
      destinationPort,
      at: at * 1_000,
      payloadType: payloadType.sip,
      correlationId: findCallId(bytes),
      payload: bytes,
    });
    if (packet !== undefined && this.sink.write(packet)) this.counters.sent++;
    else this.counters.dropped++;
  }
}
