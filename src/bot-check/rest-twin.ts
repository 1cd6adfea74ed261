import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Finding } from './findings.js';

/** The call resource of the service's API, for the one call of a check: notes whether a bot hangs up by HTTP as it must. */

const check = 'hang-up by HTTP';
const maximumOctets = 64 * 1_024;

/** The call that the bot is to end. */
export interface ExpectedCall {
  readonly accountSid: string;
  readonly callSid: string;
}

export class RestTwin {
  private readonly server: Server;
  private call: ExpectedCall | undefined;
  private readonly seen: Finding[] = [];
  private isOver = false;

  /** @param key what the bot must send as password; undefined: anything */
  private constructor(private readonly key: string | undefined) {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
  }

  /** Rejects when the address cannot be bound. */
  static async start(host: string, port: number, key: string | undefined): Promise<RestTwin> {
    const twin = new RestTwin(key);
    await new Promise<void>((resolve, reject) => {
      twin.server.once('error', reject);
      twin.server.listen(port, host, resolve);
    });
    return twin;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** The bot has ended the call, or asked for it in a way that the service refuses. */
  get isDone(): boolean {
    return this.seen.length > 0;
  }

  get findings(): readonly Finding[] {
    return this.seen;
  }

  expect(call: ExpectedCall): void {
    this.call = call;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { call } = this;
    const body = await bodyOf(request);
    if (body === undefined) {
      this.refuse(response, 413, 20001, 'the body has more than 64 KiB');
      return;
    }
    const path = (request.url ?? '').split('?', 1)[0]!;
    const [, account, sid] = /^\/2010-04-01\/Accounts\/([^/]+)\/Calls\/([^/]+)\.json$/.exec(path) ?? [];
    const refuse = (status: number, code: number, problem: string): void =>
      this.refuse(response, status, code, problem);
    if (call === undefined || account === undefined)
      refuse(404, 20404, `${request.method} ${path.slice(0, 100)}: the service has no such path`);
    else if (!this.isAuthorized(request, call))
      refuse(
        401,
        20003,
        'wrong authorization: Basic, with the accountSid of start as user and the API key as password',
      );
    else if (account !== call.accountSid)
      refuse(404, 20404, `account ${account.slice(0, 40)} is not the accountSid of start`);
    else if (sid !== call.callSid)
      refuse(404, 20404, `call ${sid!.slice(0, 40)} is not the callSid of start`);
    else if (request.method !== 'GET' && request.method !== 'POST')
      refuse(405, 20004, `${request.method} is not GET or POST`);
    else if (request.method === 'POST') this.change(request, body, response, call);
    else respond(response, 200, resourceOf(call, 'in-progress'));
  }

  private change(request: IncomingMessage, body: string, response: ServerResponse, call: ExpectedCall): void {
    if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')) {
      this.refuse(response, 400, 20001, 'the body must be application/x-www-form-urlencoded');
      return;
    }
    const form = new URLSearchParams(body);
    const twiml = form.get('Twiml');
    const isHangUp = form.get('Status') === 'completed' || (twiml !== null && /<Hangup\b/.test(twiml));
    const isTransfer = twiml !== null && /<Dial\b/.test(twiml);
    if (!isHangUp && !isTransfer) {
      const names = [...form.keys()].join(', ').slice(0, 100);
      this.refuse(
        response,
        400,
        20001,
        `neither Status=completed nor Twiml that ends the call (sent: ${names})`,
      );
      return;
    }
    if (!this.isOver)
      this.seen.push({
        level: 'ok',
        check,
        text: isHangUp ? 'the bot ended the call' : 'the bot transferred the call',
      });
    this.isOver = true;
    respond(response, 200, resourceOf(call, isHangUp ? 'completed' : 'in-progress'));
  }

  private isAuthorized({ headers }: IncomingMessage, { accountSid }: ExpectedCall): boolean {
    const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(headers.authorization ?? '') ?? [];
    if (encoded === undefined) return false;
    const decoded = Buffer.from(encoded, 'base64').toString();
    const colon = decoded.indexOf(':');
    const [user, password] = [decoded.slice(0, colon), decoded.slice(colon + 1)];
    return user === accountSid && password !== '' && (this.key === undefined || password === this.key);
  }

  private refuse(response: ServerResponse, status: number, code: number, problem: string): void {
    this.seen.push({ level: 'problem', check, text: problem });
    const message = `${problem[0]!.toUpperCase()}${problem.slice(1)}.`;
    respond(response, status, { code, message, more_info: null, status });
  }
}

const resourceOf = ({ accountSid, callSid }: ExpectedCall, status: string) => ({
  sid: callSid,
  account_sid: accountSid,
  status,
});

/** Undefined: it is longer, whatever its headers say. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let octets = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    octets += chunk.length;
    // What follows is read and dropped, so that the answer can be.
    if (octets <= maximumOctets) chunks.push(chunk);
  }
  return octets > maximumOctets ? undefined : Buffer.concat(chunks).toString();
}

function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify(body));
}
