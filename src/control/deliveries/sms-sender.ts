import type { SmsSettings } from '../../config/notice-settings.js';
import { withDeadline } from './deadline.js';
import { type Delivery, failed, type Outcome, type Sender } from './sender.js';

const timeoutMilliseconds = 10_000;

/** Sends by Twilio's HTTP API, which other providers offer as well: `POST …/Accounts/{account}/Messages.json`. */
export class SmsSender implements Sender {
  constructor(private readonly settings: SmsSettings) {}

  async send({ target, content }: Delivery, signal: AbortSignal): Promise<Outcome> {
    const { url, account, token, from } = this.settings;
    const sender = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from };
    try {
      const answer = await withDeadline(signal, timeoutMilliseconds, (limited) =>
        fetch(`${url}/2010-04-01/Accounts/${account}/Messages.json`, {
          method: 'POST',
          headers: { authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}` },
          body: new URLSearchParams({ To: target, ...sender, Body: content?.text ?? '' }),
          redirect: 'manual',
          signal: limited,
        }),
      );
      await answer.body?.cancel();
      return outcomeOf(answer.status);
    } catch (error) {
      if (signal.aborted) return { kind: 'interrupted' };
      const isSilent = (error as Error).name === 'TimeoutError';
      const problem = isSilent ? 'did not respond in time' : 'was unreachable';
      return { ...failed(`The SMS provider ${problem}`), isSilent };
    }
  }
}

/** What an answer of the provider comes to. */
export function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  // 400: invalid number or text; the operator must fix 401 and 403; 429 is temporary.
  return failed(`The SMS provider answered ${status}`, status, status === 400);
}
