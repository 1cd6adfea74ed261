import { z } from 'zod';

/** A regular expression in JSON, matched without regard to case. */
const pattern = z.string().transform((text, context) => {
  try {
    return new RegExp(text, 'isu');
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
    return z.NEVER;
  }
});

const ruleSchema = z.strictObject({
  /** All that are given must match; none: every request. */
  when: z
    .strictObject({
      /** The last message of the user. */
      last: pattern.optional(),
      /** All system messages. */
      system: pattern.optional(),
      /** Any message. */
      any: pattern.optional(),
      model: pattern.optional(),
      /** How many messages of the user the conversation has. */
      turn: z.int().min(0).optional(),
    })
    .default({}),
  /** The rule is used so many times, then passed over. Absent: always. */
  times: z.int().min(1).optional(),
  /** The rule is used every so many times that it matches, and passed over otherwise: for what is flaky. */
  every: z.int().min(2).optional(),
  latency_ms: z.int().min(0).max(600_000).optional(),
  /** Text, in which `$0`, `$1` … are what `last`, else `any`, else `system` matched; or JSON. */
  answer: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  /**
   * Answers with the least JSON that the JSON schema of the request allows (`fill-schema.ts`), over which the fields of `answer` go
   * where the schema has them.
   */
  fill: z.boolean().optional(),
  /** Answers with this status and an error body. */
  status: z.int().min(400).max(599).optional(),
  /** Seconds of the Retry-After header. */
  retry_after: z.int().min(0).max(600).optional(),
  /** Answers 200 with what is no completion: text, or JSON of another form. */
  garbage: z.enum(['text', 'json']).optional(),
  /** Never answers. */
  hang: z.boolean().optional(),
  /** Answers with the field that models refuse in. */
  refusal: z.string().optional(),
});

export const rulesSchema = z.strictObject({
  /** The first one that matches answers. */
  rules: z.array(ruleSchema),
  /** Of embeddings; default 256. */
  dimensions: z.int().min(8).max(4_096).default(256),
  /** The next requests for embeddings get these statuses instead of vectors. */
  embedding_failures: z.array(z.int().min(400).max(599)).default([]),
  embedding_latency_ms: z.int().min(0).max(600_000).default(0),
});
export type Rules = z.output<typeof rulesSchema>;
export type Rule = Rules['rules'][number];

export interface Conversation {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** What a rule's patterns matched: `$0` is the whole match. */
export interface Match {
  readonly rule: Rule;
  readonly groups: readonly string[];
}

/**
 * The first rule that matches and is not used up.
 * @param uses how often each rule matched; counted on
 */
export function matchRule(
  rules: readonly Rule[],
  conversation: Conversation,
  uses: Map<Rule, number>,
): Match | undefined {
  for (const rule of rules) {
    const used = uses.get(rule) ?? 0;
    if (rule.times !== undefined && used >= rule.times) continue;
    const groups = groupsOf(rule, conversation);
    if (groups === undefined) continue;
    uses.set(rule, used + 1);
    if (rule.every !== undefined && (used + 1) % rule.every !== 0) continue;
    return { rule, groups };
  }
  return undefined;
}

function groupsOf({ when }: Rule, { model, messages }: Conversation): readonly string[] | undefined {
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  if (when.turn !== undefined && when.turn !== said.length) return undefined;
  if (when.model !== undefined && !when.model.test(model)) return undefined;
  const texts = [
    [when.last, said.at(-1) ?? ''],
    [when.any, messages.map(({ content }) => content).join('\n')],
    [when.system, system.join('\n')],
  ] as const;
  let groups: readonly string[] | undefined;
  for (const [expression, text] of texts) {
    if (expression === undefined) continue;
    const found = expression.exec(text);
    if (found === null) return undefined;
    groups ??= found.map((group) => group ?? '');
  }
  return groups ?? [said.at(-1) ?? ''];
}

/** The text of a rule's answer; default: what the user said last. */
export function answerOf({ rule, groups }: Match): string {
  const { answer = '$0' } = rule;
  const filled = (text: string): string =>
    text.replaceAll(/\$(\d)/g, (_whole, digit: string) => groups[Number(digit)] ?? '');
  if (typeof answer === 'string') return filled(answer);
  // Before it is written: what was said may have quotation marks.
  return JSON.stringify(answer, (_key, value: unknown) =>
    typeof value === 'string' ? filled(value) : value,
  );
}
