/** Names that must be unique, and the randomness the protocol asks for. Injected, so that tests are repeatable. */
export interface Identifiers {
  /** UUID text, for transactions that applications refer to. */
  transactionId(): string;
  /** At least 32 random bits, RFC 3261 §19.3; characters of a token. */
  tag(): string;
  callId(): string;
  /** First CSeq number of a dialog, below 2**31 (RFC 3261 §8.1.1.5). */
  sequence(): number;
  /** Uniform in [0, 1). */
  fraction(): number;
}
