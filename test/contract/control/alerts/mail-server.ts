import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import PostalMime, { type Email } from 'postal-mime';
import { within } from '../../../../src/testkit/waiting.js';

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly secure: boolean;
  readonly user: unknown;
  readonly email: Email;
}

interface Said {
  readonly type: 'ready' | 'mail' | 'auth' | 'changed';
  readonly port: number;
  readonly to: readonly string[];
  readonly secure: boolean;
  readonly user: unknown;
  readonly mail: string;
}

/** A mail server (`smtp-server`) in a separate process. */
export class MailServer {
  private readonly received = new Map<string, ReceivedMail>();
  /** How often a client presented a password. */
  logins = 0;

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {
    child.on('message', async (message) => {
      const said = message as Said;
      if (said.type === 'auth') this.logins++;
      if (said.type !== 'mail') return;
      const email = await PostalMime.parse(Buffer.from(said.mail, 'base64'));
      const mail = { to: said.to, secure: said.secure, user: said.user, email };
      const id = email.messageId!;
      if (!this.received.has(id)) this.received.set(id, mail);
    });
  }

  /** Each once, as mailboxes show them: one whose confirmation was late is sent again, with the same Message-ID. */
  get mails(): readonly ReceivedMail[] {
    return [...this.received.values()];
  }

  /** With STARTTLS when it is given a certificate. */
  static async start(files?: { readonly certificate: string; readonly key: string }): Promise<MailServer> {
    const argv = files === undefined ? [] : [files.certificate, files.key];
    const script = fileURLToPath(new URL('smtp-process.mjs', import.meta.url));
    const child = fork(script, argv, { execArgv: [] });
    const ready = new Promise<number>((resolve) => {
      child.once('message', (message) => resolve((message as Said).port));
    });
    return new MailServer(child, await within(ready, 20_000, 'mail server'));
  }

  /** What it does with recipients from now on. */
  async behave(behaviour: { readonly reject?: number; readonly hang?: boolean }): Promise<void> {
    const changed = new Promise<void>((resolve) => {
      const look = (message: unknown): void => {
        if ((message as Said).type !== 'changed') return;
        this.child.off('message', look);
        resolve();
      };
      this.child.on('message', look);
    });
    this.child.send(behaviour);
    await within(changed, 5_000, 'the mail server');
  }

  async stop(): Promise<void> {
    const ended = new Promise<void>((resolve) => this.child.once('exit', () => resolve()));
    this.child.disconnect();
    await ended;
  }
}
