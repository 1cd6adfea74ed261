import type { AdoptedDialog } from '../dialog/ownerless.js';
import type { UserAgentCore } from '../dialog/user-agent-core.js';
import type { AppConnection } from './app-connection.js';
import type { AppRegistry } from './app-registry.js';
import { RestoreDocumentError, readReleaseDocument, readRestoreDocument } from './restore-document.js';

/** A further field of the reply to `authenticate`: commands that drachtio-server does not have. */
export const adoptionFeatures = 'adopt,adopt-some,forget,once,restore,release,yield';

/** So many owners at most are known to have lost their dialogs. */
const maximumAdopted = 10_000;

export interface AdoptionSettings {
  /** Different for every engine process. */
  readonly instance: string;
  /** True: a successor takes the calls, and this process disconnects its applications. */
  isReplaced(): boolean;
}

/** The extension for dialogs and new calls that outlive their application, or their engine (README, Extensions). */
export class AdoptionCommands {
  /** Owners whose dialogs another owner has taken. */
  private readonly adopted = new Set<string>();

  constructor(
    private readonly core: UserAgentCore,
    private readonly registry: AppRegistry,
    private readonly settings: AdoptionSettings,
  ) {}

  /** False: it is none of these commands. */
  handle(connection: AppConnection, messageId: string, fields: readonly string[], body: string): boolean {
    switch (fields[1]) {
      case 'owned': {
        const owner = (fields[2] ?? '').toLowerCase();
        const connections = this.registry.owners().filter((each) => each.owner === owner);
        const responsive = connections.filter(({ isResponsive }) => isResponsive).length;
        const { instance, isReplaced } = this.settings;
        const fate = this.adopted.has(owner) ? 'adopted' : isReplaced() ? 'replaced' : '';
        connection.queue(`response|${messageId}|OK|${instance}|${connections.length}|${fate}|${responsive}`);
        return true;
      }
      case 'adopt':
        this.adopt(connection, messageId, (fields[2] ?? '').toLowerCase(), body, fields[3] === 'some');
        return true;
      case 'yield':
        this.yieldDialogs(connection, messageId, (fields[2] ?? '').toLowerCase(), body);
        return true;
      case 'once':
        this.core.beginOnce(connection, fields[2] ?? '');
        connection.queue(`response|${messageId}|OK`);
        return true;
      case 'forget':
        this.core.forgetDialogs(connection, body.split('\r\n'));
        connection.queue(`response|${messageId}|OK`);
        return true;
      case 'whose':
        this.whose(connection, messageId, body);
        return true;
      case 'restore':
        this.restore(connection, messageId, body);
        return true;
      case 'release':
        this.release(connection, messageId, body);
        return true;
      case 'restored':
        this.core.isRestored(connection);
        connection.queue(`response|${messageId}|OK`);
        return true;
      default:
        return false;
    }
  }

  /**
   * Ends the other connections of that owner, living or not, and gives its dialogs to this one: the list first, then what their
   * peers asked for meanwhile.
   * @param body names of dialogs, one a line: those that it can take; empty: all
   * @param keepsOthers those that it does not name wait for further adopters
   */
  private adopt(
    connection: AppConnection,
    messageId: string,
    owner: string,
    body: string,
    keepsOthers: boolean,
  ): void {
    if (owner === '') {
      connection.queue(`response|${messageId}|NOK|adopt: the owner is missing`);
      return;
    }
    for (const application of this.registry.all()) {
      if (application === connection || application.owner !== owner) continue;
      application.destroy();
      this.core.applicationGone(application);
    }
    if (owner !== connection.owner) {
      this.adopted.add(owner);
      if (this.adopted.size > maximumAdopted) this.adopted.delete(this.adopted.values().next().value!);
    }
    const names = body === '' ? undefined : new Set(body.split('\r\n'));
    const { dialogs, deliver } = this.core.adopt(owner, connection, names, keepsOthers);
    const list = JSON.stringify(dialogs.map(document));
    for (const { callId } of dialogs) connection.takePart(callId);
    connection.queue(`response|${messageId}|OK|${dialogs.length}\r\n${list}`);
    deliver();
  }

  /** @param body names of dialogs, one a line */
  private yieldDialogs(connection: AppConnection, messageId: string, owner: string, body: string): void {
    const isFree = owner !== '' && !this.registry.owners().some((application) => application.owner === owner);
    const isDone = isFree && this.core.yieldDialogs(connection, body.split('\r\n'), owner);
    connection.queue(`response|${messageId}|${isDone ? 'OK' : 'NOK|yield: these dialogs cannot be left'}`);
  }

  /** @param body Call-ID, our tag and the peer's tag, one a line */
  private whose(connection: AppConnection, messageId: string, body: string): void {
    const [callId = '', toTag = '', fromTag = ''] = body.split('\r\n');
    const { dialog, isExpecting } = this.core.whereIs({ callId, toTag, fromTag });
    const isEarly = dialog?.isConfirmed === false;
    const state = isEarly ? 'early' : dialog !== undefined ? 'known' : isExpecting ? 'expected' : 'unknown';
    connection.queue(`response|${messageId}|OK|${state}|${dialog?.application.owner ?? ''}`);
  }

  private restore(connection: AppConnection, messageId: string, body: string): void {
    this.reply(connection, messageId, () => {
      const outcomes = this.core.restore(connection, readRestoreDocument(body));
      return `OK|${outcomes.length}\r\n${JSON.stringify(outcomes)}`;
    });
  }

  private release(connection: AppConnection, messageId: string, body: string): void {
    this.reply(connection, messageId, () => {
      this.core.release(connection, readReleaseDocument(body));
      return 'OK';
    });
  }

  private reply(connection: AppConnection, messageId: string, run: () => string): void {
    try {
      connection.queue(`response|${messageId}|${run()}`);
    } catch (error) {
      if (!(error instanceof RestoreDocumentError)) throw error;
      connection.queue(`response|${messageId}|NOK|${error.message}`);
    }
  }
}

const document = (dialog: AdoptedDialog) => ({
  id: dialog.id,
  role: dialog.role,
  call_id: dialog.callId,
  local_tag: dialog.localTag,
  remote_tag: dialog.remoteTag,
  local_sequence: dialog.localSequence,
  remote_sequence: dialog.remoteSequence ?? null,
  has_ended: dialog.hasEnded,
});
