import { readPathways } from '../../api/pathways.js';
import { readPersonas } from '../../api/personas.js';
import { useResource } from '../../api/resource.js';

export interface Target {
  readonly kind: 'pathway' | 'persona';
  readonly id: string;
  readonly name: string;
}

/** Pathways and personas that scenarios can test. */
export function useTargets(): readonly Target[] {
  const targets = useResource('targets', async (signal): Promise<readonly Target[]> => {
    const [pathways, personas] = await Promise.all([readPathways(signal), readPersonas(signal)]);
    return [
      ...pathways.map(({ id, name }) => ({ kind: 'pathway', id, name }) as const),
      ...personas.map(({ id, name }) => ({ kind: 'persona', id, name }) as const),
    ];
  });
  return targets.data ?? [];
}

interface Tested {
  readonly pathway_id: string | null;
  readonly persona_id: string | null;
}

/** The name of what is tested, and the address of its page; undefined: an agent at its own address. */
export function targetOf(
  { pathway_id: pathway, persona_id: persona }: Tested,
  targets: readonly Target[],
): { readonly name: string; readonly href: string } | undefined {
  const id = pathway ?? persona;
  if (id === null) return undefined;
  const kind = pathway === null ? 'persona' : 'pathway';
  const name = targets.find((target) => target.id === id)?.name;
  return { name: name ?? (kind === 'pathway' ? 'Pathway' : 'Persona'), href: `/${kind}s/${id}` };
}
