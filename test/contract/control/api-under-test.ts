import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { readControlSettings } from '../../../src/config/control-settings.js';
import { generateSecretKey } from '../../../src/contract/secret.js';
import { Control } from '../../../src/control/control.js';
import { cheapPasswords } from '../../support/cheap-passwords.js';
import { type ControlBench, log } from './control-bench.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: Tests say themselves what they expect of an answer.
  readonly body: any;
}

/** `demarc control` in this process, on the bench's PostgreSQL and Redis. */
export interface ApiUnderTest {
  readonly url: string;
  get(path: string, key: string): Promise<Answer>;
  post(path: string, key: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, key: string, body: unknown): Promise<Answer>;
  patch(path: string, key: string, body: unknown): Promise<Answer>;
  delete(path: string, key: string): Promise<Answer>;
  stop(): Promise<void>;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export async function startApi(
  bench: Pick<ControlBench, 'databaseUrl'> & { readonly redis: { readonly url: string } },
  environment: Readonly<Record<string, string>> = {},
): Promise<ApiUnderTest> {
  const settings = readControlSettings({
    DATABASE_URL: bench.databaseUrl,
    DEMARC_REDIS_URL: bench.redis.url,
    DEMARC_HTTP_PORT: '0',
    DEMARC_SECRET_KEY: generateSecretKey(),
    // Tests that wait ask without end; those of the limits set their own.
    DEMARC_API_REQUESTS_PER_SECOND: '10000',
    // A PostgreSQL that is stalled is no fault of what is asked of it.
    DEMARC_DATABASE_TIMEOUT_MS: '15000',
    ...environment,
  });
  const control = await Control.start(settings, log, undefined, cheapPasswords);
  const url = `http://${control.host}:${control.port}`;
  // `fetch` takes twice the processor time of a request.
  const agent = new Agent({ keepAlive: true });
  const ask = async (path: string, key: string, sent: Sent = {}): Promise<Answer> => {
    const headers = {
      // To compress and decompress each answer takes a sixtieth of the processor time of these tests.
      'accept-encoding': 'identity',
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      ...sent.headers,
    };
    const asked = request(url + path, { agent, method: sent.method ?? 'GET', headers }).end(sent.body);
    // A body that is refused before its end cannot be sent after the answer; a failure before the answer rejects.
    asked.on('error', () => {});
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    const bytes = await buffer(answer);
    const isJson = answer.headers['content-type']?.startsWith('application/json') === true;
    const text = bytes.toString('utf8');
    return {
      status: answer.statusCode!,
      headers: headersOf(answer),
      bytes,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  };
  const send = (
    method: string,
    path: string,
    key: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> =>
    ask(path, key, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return {
    url,
    get: (path, key) => ask(path, key),
    post: (path, key, body, headers) => send('POST', path, key, body, headers),
    put: (path, key, body) => send('PUT', path, key, body),
    patch: (path, key, body) => send('PATCH', path, key, body),
    delete: (path, key) => ask(path, key, { method: 'DELETE' }),
    stop: async () => {
      agent.destroy();
      await control.stop();
    },
  };
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index]!, rawHeaders[index + 1]!);
  return headers;
}
