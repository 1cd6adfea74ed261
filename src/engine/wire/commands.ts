import type { UserAgentCore } from '../dialog/user-agent-core.js';
import { AdoptionCommands, type AdoptionSettings, adoptionFeatures } from './adoption-commands.js';
import { type AppConnection, aliveFeature, extensionVerbs } from './app-connection.js';
import type { AppRegistry } from './app-registry.js';
import { ApplicationMessageError, readApplicationMessage } from './header-policy.js';
import { type FailedHandshakes, PeerCommands, type PeerSource, peerFeature } from './peer-commands.js';
import { FrameReply } from './reply.js';

export interface CommandSettings extends AdoptionSettings {
  /** True when the secret is right; takes the same time for every wrong one. */
  isSecret(candidate: string): boolean;
  readonly version: string;
  /** `proto/host:port,…` as advertised. */
  hostPorts(): string;
  /** The same with bind addresses. */
  localHostPorts(): string;
  readonly peers: PeerSource;
  readonly failedHandshakes: FailedHandshakes;
}

/** What the reply to `authenticate` names: commands and routes that drachtio-server does not have. */
const extensions = [adoptionFeatures, peerFeature, aliveFeature, ...extensionVerbs].join(',');

const maximumIdentifier = 128;
const maximumVerbs = 64;
const maximumVerbLength = 64;

/** What to do with the connection after a frame. */
type Verdict = 'keep' | 'close';

/** Carries out the frames of applications (wire protocol §3, §4, §6). */
export class Commands {
  private readonly adoption: AdoptionCommands;
  private readonly peers: PeerCommands;

  constructor(
    private readonly core: UserAgentCore,
    private readonly registry: AppRegistry,
    private readonly settings: CommandSettings,
  ) {
    this.adoption = new AdoptionCommands(core, registry, settings);
    this.peers = new PeerCommands(settings.peers, settings.failedHandshakes);
  }

  handle(connection: AppConnection, payload: string): Verdict {
    const leaderEnd = payload.indexOf('\r\n');
    const leader = leaderEnd < 0 ? payload : payload.slice(0, leaderEnd);
    const fields = leader.split('|');
    const messageId = fields[0]!;
    const type = fields[1];
    if (messageId === '' || messageId.length > maximumIdentifier || type === undefined) return 'close';
    if (type === 'authenticate') return this.authenticate(connection, messageId, fields);
    if (!connection.isAuthenticated) {
      connection.queue(`response|${messageId}|NO|not authenticated`);
      return 'close';
    }
    switch (type) {
      case 'sip':
        this.sip(connection, messageId, fields, leaderEnd < 0 ? '' : payload.slice(leaderEnd + 2));
        return 'keep';
      case 'route':
        this.route(connection, messageId, fields[2] ?? '');
        return 'keep';
      case 'remove_route':
        this.registry.removeRoute(connection, (fields[2] ?? '').toLowerCase());
        connection.queue(`response|${messageId}|OK`);
        return 'keep';
      case 'ping':
        connection.queue(`response|${messageId}|OK|pong`);
        return 'keep';
      case 'alive':
        connection.isAlive();
        connection.queue(`response|${messageId}|OK`);
        return 'keep';
      case 'proxy':
        connection.queue(`response|${messageId}|NOK|proxy not supported`);
        return 'keep';
      default: {
        const body = leaderEnd < 0 ? '' : payload.slice(leaderEnd + 2);
        if (this.adoption.handle(connection, messageId, fields, body)) return 'keep';
        if (this.peers.handle(connection, messageId, fields)) return 'keep';
        connection.queue(`response|${messageId}|NO|unknown message type`);
        return 'close';
      }
    }
  }

  private authenticate(connection: AppConnection, messageId: string, fields: readonly string[]): Verdict {
    const { settings } = this;
    if (!settings.isSecret(fields[2] ?? '')) {
      connection.queue(`response|${messageId}|NO|incorrect secret`);
      return 'close';
    }
    connection.isAuthenticated = true;
    connection.tags = (fields[3] ?? '').split(',').filter((tag) => tag !== '');
    this.registry.add(connection);
    connection.queue(
      `response|${messageId}|OK|${settings.hostPorts()}|${settings.version}|${settings.localHostPorts()}|${extensions}`,
    );
    return 'keep';
  }

  private route(connection: AppConnection, messageId: string, verb: string): void {
    const isWithin = verb !== '' && verb.length <= maximumVerbLength && connection.verbs.size < maximumVerbs;
    if (!isWithin) {
      connection.queue(`response|${messageId}|NO|invalid verb`);
      return;
    }
    this.registry.route(connection, verb.toLowerCase());
    connection.queue(`response|${messageId}|OK`);
  }

  /** The decision tree of wire protocol §6.1. */
  private sip(connection: AppConnection, messageId: string, fields: readonly string[], text: string): void {
    const transactionId = fields[2];
    const dialogId = fields[3];
    if (transactionId === undefined || dialogId === undefined) {
      connection.queue(`response|${messageId}|NO|invalid request`);
      return;
    }
    const reply = new FrameReply(connection, messageId);
    try {
      const message = readApplicationMessage(text);
      if (message.status !== 0) {
        if (transactionId === '') connection.queue(`response|${messageId}|NO|transaction id missing`);
        else this.core.respond(connection, transactionId, message, reply);
      } else if (dialogId !== '') this.core.sendWithinDialog(connection, dialogId, message, reply);
      else if (transactionId === '') this.core.sendRequest(connection, message, fields[4] ?? '', reply);
      else if (message.method === 'CANCEL')
        this.core.cancelRequest(connection, transactionId, message, reply);
      else reply.refused(`${message.method} does not go with a transaction id`);
    } catch (error) {
      const isTheirs = error instanceof ApplicationMessageError;
      reply.refused(isTheirs ? error.message : 'Unknown server error');
      if (!isTheirs) throw error;
    }
  }
}
