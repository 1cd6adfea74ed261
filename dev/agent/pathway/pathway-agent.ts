import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BotCall, type CallServer, type Signing, serveCalls } from '../../../src/bot/index.js';
import type { HostPort } from '../../../src/config/environment.js';
import { PathwayCall, type PathwayCallDeps } from './pathway-call.js';

export interface PathwayAgentOptions {
  readonly listen: HostPort;
  readonly signing: Signing | undefined;
}

/** As long as Demarc tries to reconnect. */
const reconnectMilliseconds = 20_000;
const callEnded = 1_000;

/** The reference agent: takes calls by WebSocket, and follows the pathway of each. */
export class PathwayAgent {
  private readonly calls = new Map<string, PathwayCall>();
  private readonly lost = new Map<string, NodeJS.Timeout>();
  private readonly bot: CallServer;

  private constructor(
    private readonly server: Server,
    signing: Signing | undefined,
    private readonly deps: PathwayCallDeps,
  ) {
    this.bot = serveCalls(signing === undefined ? { server } : { server, signing }, (call) =>
      this.serve(call),
    );
  }

  /** Rejects when the port is taken. */
  static async start({ listen, signing }: PathwayAgentOptions, deps: PathwayCallDeps): Promise<PathwayAgent> {
    const server = createServer((_request, response) => response.writeHead(404).end());
    const agent = new PathwayAgent(server, signing, deps);
    server.listen(listen.port, listen.host);
    await once(server, 'listening');
    return agent;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const timer of this.lost.values()) clearTimeout(timer);
    for (const call of this.calls.values()) call.end();
    this.bot.close();
    this.server.close();
  }

  private serve(call: BotCall): void {
    const { callId, isReconnected } = call.facts;
    const conversation = this.calls.get(callId);
    clearTimeout(this.lost.get(callId));
    if (isReconnected && conversation !== undefined) conversation.continueWith(call);
    else this.calls.set(callId, this.begin(call));
    call.on('end', (code) => {
      const leave = (): void => this.leave(callId);
      if (code === callEnded) leave();
      else this.lost.set(callId, setTimeout(leave, reconnectMilliseconds));
    });
  }

  private begin(call: BotCall): PathwayCall {
    const { callId, parameters } = call.facts;
    const log = this.deps.log.child({ call: callId });
    log.info({ pathway: parameters.pathway_id, version: parameters.pathway_version }, 'Call.');
    return new PathwayCall(call, { ...this.deps, log });
  }

  private leave(callId: string): void {
    this.calls.get(callId)?.end();
    this.calls.delete(callId);
    this.lost.delete(callId);
  }
}
