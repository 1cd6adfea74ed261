/** Tokens of one request, as the endpoint counts them. */
export interface ChatUsage {
  /** Undefined: the endpoint does not count. */
  readonly promptTokens: number | undefined;
  readonly completionTokens: number | undefined;
}
