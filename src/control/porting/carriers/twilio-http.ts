import type { TwilioSettings } from '../../../config/porting-settings.js';
import { CarrierRefusal, CarrierUnavailable } from './carrier.js';

const maximumAnswerOctets = 1024 * 1024;

export interface TwilioAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Requests to Twilio's API, with its failures sorted into those that pass and those that do not. */
export class TwilioHttp {
  private readonly authorization: string;

  constructor({ accountSid, authToken }: TwilioSettings) {
    this.authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  }

  /** Rejects with `CarrierUnavailable` or `CarrierRefusal`, whose messages hold no secret. */
  async ask(
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    signal: AbortSignal,
    body?: FormData | object,
  ): Promise<TwilioAnswer> {
    const isForm = body instanceof FormData;
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(url, {
        method,
        signal,
        redirect: 'error',
        headers: {
          authorization: this.authorization,
          accept: 'application/json',
          ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      });
      text = await readText(answer);
    } catch (error) {
      const cause = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).name;
      throw new CarrierUnavailable(`Twilio did not answer (${cause}).`, { cause: error });
    }
    const content = readJson(text);
    if (answer.ok) return { status: answer.status, body: content };
    const { message, code } = (content ?? {}) as { message?: unknown; code?: unknown };
    const said = typeof message === 'string' ? message.slice(0, 300) : `HTTP ${answer.status}`;
    const wait = Number.parseFloat(answer.headers.get('retry-after') ?? '');
    // Wrong credentials are ours to mend: the request itself may be right.
    if ([401, 403, 408, 425, 429].includes(answer.status) || answer.status >= 500) {
      throw new CarrierUnavailable(`Twilio answered ${answer.status}: ${said}`, {
        retryAfterMilliseconds: Number.isFinite(wait) ? wait * 1_000 : undefined,
      });
    }
    throw new TwilioRefusal(
      `Twilio refused: ${said}`,
      answer.status,
      typeof code === 'number' ? code : undefined,
    );
  }
}

export class TwilioRefusal extends CarrierRefusal {
  constructor(
    message: string,
    readonly status: number,
    readonly code: number | undefined,
  ) {
    super(message);
  }
}

async function readText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let octets = 0;
  for await (const chunk of answer.body ?? []) {
    octets += chunk.length;
    if (octets > maximumAnswerOctets) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
