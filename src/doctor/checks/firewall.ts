import type { Check } from '../context.js';
import { type Finding, ok, skipped, warning } from '../finding.js';
import { outputOf } from '../system.js';

/**
 * Whether the rules of this machine seem to let a port in. Only what can be read with confidence: a base chain for input whose policy
 * is `drop`, and no rule that names the port.
 * @param ruleset output of `nft list ruleset`
 */
export function judgeRuleset(
  ruleset: string,
  wanted: readonly { readonly port: string; readonly use: string }[],
): Finding[] {
  const isDropping = /hook input [^\n]*policy drop/.test(ruleset);
  if (!isDropping) return [ok('No rule set of this machine drops input by default.')];
  const findings = wanted.flatMap(({ port, use }): Finding[] => {
    const [first = port, last = port] = port.split('-');
    const isNamed = new RegExp(`dport[^\\n]*\\b${first}(?:-${last})?\\b`).test(ruleset);
    if (isNamed) return [];
    return [
      warning(
        `The firewall drops input by default, and no rule names ${port} (${use}).`,
        `Allow ${port} from the peers, or check that another rule does.`,
      ),
    ];
  });
  return findings.length > 0
    ? findings
    : [ok('The firewall drops input by default, and its rules name our ports.')];
}

export const firewall: Check = {
  name: 'firewall',
  title: 'Firewall',
  async run({ edge, control }) {
    const ruleset = await outputOf('nft', ['list', 'ruleset']);
    if (ruleset === undefined)
      return [skipped('The rules cannot be read: nft is not installed, or this user may not (run as root).')];
    const wanted = [{ port: `${control?.rtpPorts ?? '10000-20000'}`, use: 'RTP' }];
    if (edge?.drachtio === undefined && edge !== undefined)
      wanted.unshift({ port: String(edge.engine.tlsPort), use: 'SIP over TLS' });
    return judgeRuleset(ruleset, wanted);
  },
};
