import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface StoredPort {
  readonly port_in_request_sid: string;
  port_in_request_status: string;
  phone_numbers: Record<string, unknown>[];
  // biome-ignore lint/suspicious/noExplicitAny: What was submitted, for tests to look at.
  readonly submitted: any;
}

/** What the next request for this path does instead of answering. */
export type Fault = 429 | 500 | 'hang' | 'lost answer';

/** Speaks Twilio's Porting API as its OpenAPI document describes it, with faults on demand. */
export class TwilioStandIn {
  static readonly accountSid = `AC${'a'.repeat(32)}`;
  static readonly authToken = 'stand-in-auth-token';
  readonly ports: StoredPort[] = [];
  readonly documents: { sid: string; octets: Buffer }[] = [];
  readonly canceled: string[] = [];
  /** Requests as `METHOD path`, in order. */
  readonly log: string[] = [];
  /** Requests for this path get 500 while it is set. */
  down: RegExp | undefined;
  private readonly faults: { readonly path: RegExp; readonly fault: Fault }[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<TwilioStandIn> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const twilio = new TwilioStandIn(server, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => void twilio.serve(request, response));
    return twilio;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** The next request for the path fails so. */
  fail(path: RegExp, fault: Fault): void {
    this.faults.push({ path, fault });
  }

  /** Moves the numbers of a request, as the carriers behind Twilio would. */
  move(sid: string, request: string, numbers: readonly Record<string, unknown>[] | string): void {
    const port = this.ports.find(({ port_in_request_sid: portSid }) => portSid === sid)!;
    port.port_in_request_status = request;
    port.phone_numbers = port.phone_numbers.map((number, at) => ({
      ...number,
      ...(typeof numbers === 'string' ? { port_in_phone_number_status: numbers } : numbers[at]),
    }));
  }

  /** Posts a webhook, signed as Twilio signs JSON bodies. */
  async webhook(target: string, body: object, authToken = TwilioStandIn.authToken): Promise<number> {
    const text = JSON.stringify(body);
    const url = `${target}?bodySHA256=${createHash('sha256').update(text).digest('hex')}`;
    const signature = createHmac('sha1', authToken).update(url).digest('base64');
    const headers = { 'content-type': 'application/json', 'x-twilio-signature': signature };
    return (await fetch(url, { method: 'POST', headers, body: text })).status;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const url = new URL(request.url!, this.url);
    const name = `${request.method} ${url.pathname}`;
    this.log.push(name);
    if (this.down?.test(name)) {
      response.writeHead(500).end('{"message":"down"}');
      return;
    }
    const at = this.faults.findIndex(({ path }) => path.test(name));
    const [found] = at < 0 ? [] : this.faults.splice(at, 1);
    if (found?.fault === 'hang') return;
    if (found?.fault === 429 || found?.fault === 500) {
      response.writeHead(found.fault, { 'retry-after': '0' }).end('{"message":"not now"}');
      return;
    }
    const expected = Buffer.from(`${TwilioStandIn.accountSid}:${TwilioStandIn.authToken}`).toString('base64');
    const [status, content] =
      request.headers.authorization === `Basic ${expected}`
        ? this.answer(name, url, body)
        : [401, { code: 20003, message: 'Authenticate' }];
    if (found?.fault === 'lost answer') {
      response.destroy();
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(content === undefined ? '' : JSON.stringify(content));
  }

  private answer(name: string, url: URL, body: Buffer): [number, unknown] {
    const portability = /^GET \/v1\/Porting\/Portability\/PhoneNumber\/(.+)$/.exec(name);
    if (portability !== null) return [200, this.portability(decodeURIComponent(portability[1]!))];
    if (name === 'POST /v1/Documents') {
      const sid = `RD${randomBytes(16).toString('hex')}`;
      this.documents.push({ sid, octets: body });
      return [201, { sid, document_type: 'utility_bill', mime_type: 'application/pdf' }];
    }
    if (name === 'POST /v1/Porting/PortIn') return this.create(JSON.parse(body.toString('utf8')));
    if (name === 'GET /v1/Porting/PortIn/PortInRequests') {
      const requests = this.ports.map(({ port_in_request_sid, port_in_request_status }) => ({
        port_in_request_sid,
        port_in_request_status,
      }));
      return [200, { port_in_requests: requests, meta: { next_token: null, previous_token: null } }];
    }
    const single = /^(GET|DELETE) \/v1\/Porting\/PortIn\/(KW\w{32})$/.exec(name);
    const port = this.ports.find(({ port_in_request_sid: sid }) => sid === single?.[2]);
    if (port === undefined) return [404, { code: 20404, message: `${url.pathname} was not found` }];
    if (single?.[1] === 'DELETE') {
      this.canceled.push(port.port_in_request_sid);
      port.port_in_request_status = 'Canceled';
      return [204, undefined];
    }
    const { submitted: _, ...shown } = port;
    return [200, shown];
  }

  private portability(number: string): object {
    const isMobile = number.endsWith('1');
    const isPortable = !number.endsWith('9');
    return {
      phone_number: number,
      portable: isPortable,
      pin_and_account_number_required: isMobile,
      not_portable_reason: isPortable ? null : 'The phone number is in a rate center that is not supported.',
      not_portable_reason_code: isPortable ? null : 22131,
      number_type: isMobile ? 'MOBILE' : 'LOCAL',
      country: 'US',
    };
  }

  // biome-ignore lint/suspicious/noExplicitAny: As it arrives.
  private create(submitted: any): [number, unknown] {
    const sid = `KW${randomBytes(16).toString('hex')}`;
    const numbers = submitted.phone_numbers.map(({ phone_number }: { phone_number: string }) => ({
      phone_number,
      portable: true,
      port_in_phone_number_sid: `PU${randomBytes(16).toString('hex')}`,
      port_in_phone_number_status: 'In Review',
    }));
    const port = { port_in_request_sid: sid, port_in_request_status: 'In review', phone_numbers: numbers };
    this.ports.push({ ...port, submitted });
    return [202, port];
  }
}
