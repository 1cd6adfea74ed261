import type { z } from 'zod';
import type { assertionInputs } from '../schemas/assertion.js';
import type { Category } from '../schemas/scenario.js';

/** A built-in template as it is written. */
export interface TemplateSource {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly category: Category;
  readonly tester_persona_name: string;
  readonly tester_persona_prompt: string;
  readonly max_turns: number;
  readonly assertions: z.input<typeof assertionInputs>;
}

/** A question to the judge that is answered with yes. */
export const judge = (name: string, prompt: string, weight = 1) => ({
  type: 'LLM_JUDGE' as const,
  name,
  config: { prompt, output_type: 'boolean' as const },
  weight,
});
export const tone = (threshold: number) => ({
  type: 'SERVICE_TONE' as const,
  name: 'Sounds natural',
  config: { threshold },
  is_required: false,
});
