/** Names of settings before all of them began with DEMARC_. */
const formerNames: Readonly<Record<string, string>> = {
  EDGE_SOURCE_POLICY: 'DEMARC_SOURCE_POLICY',
  HEP_FORWARD: 'DEMARC_HEP_FORWARD',
  HEP_FORWARD_ID: 'DEMARC_HEP_FORWARD_ID',
  HEP_FORWARD_KEY: 'DEMARC_HEP_FORWARD_KEY',
  METRICS_TOKEN: 'DEMARC_METRICS_TOKEN',
  DISCOVERY_ALLOW_PRIVATE: 'DEMARC_DISCOVERY_ALLOW_PRIVATE',
  WEBHOOK_ALLOW_PRIVATE: 'DEMARC_WEBHOOK_ALLOW_PRIVATE',
};

/**
 * Gives settings under a former name their present one, and removes the former, so that child processes do not warn again. A
 * present name that is set wins.
 * @returns one warning per former name
 */
export function renameFormerSettings(environment: Record<string, string | undefined>): string[] {
  return Object.entries(formerNames).flatMap(([oldName, newName]) => {
    const value = environment[oldName];
    if (value === undefined) return [];
    delete environment[oldName];
    if ((environment[newName] ?? '').trim() !== '') return [`${oldName} is ignored: ${newName} is set.`];
    environment[newName] = value;
    return [`${oldName} is now ${newName}. The former name still works, and will be removed in version 1.0.`];
  });
}
