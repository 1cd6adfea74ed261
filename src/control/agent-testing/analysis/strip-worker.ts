import type { ChatLine } from '../schemas/scenario.js';
import { withoutPersonal, withoutPersonalText } from './strip-personal.js';

/** What is known of a call. */
export interface CallWords {
  readonly chat: readonly ChatLine[];
  readonly requestData: Readonly<Record<string, unknown>>;
}

/** The same without phone numbers, URLs and keys. The patterns that find them backtrack, so a text can choose how long they take. */
export default ({ chat, requestData }: CallWords): CallWords => ({
  chat: chat.map(({ role, content }) => ({ role, content: withoutPersonalText(content) })),
  requestData: withoutPersonal(requestData),
});
